# SPDX-License-Identifier: Apache-2.0
"""Written by scripts/generate from api/schema: result fields, error codes, and the types of options and reports."""

from typing import Dict, List, Literal, Optional, Sequence, Tuple, TypedDict, Union

Box = Tuple[Sequence[float], Sequence[float]]  # lower and upper corner

# How many arrays a field has: (n,) or (components, n).
FIELDS = {"potential": 1, "acceleration": 3, "tidal": 6}
ERRORS = ("invalid_option", "invalid_input", "out_of_memory", "not_available", "communication", "file", "internal", "cancelled")
STAGES = ("stage_in", "heavy", "sort", "build", "moments", "scales", "targets", "roots", "essential", "exchange_begin",
          "walk_early", "exchange_finish", "complete", "walk", "convolution", "near_cells", "background", "far_images", "verify",
          "time_step", "conservation", "tolerance", "guards", "probes", "stage_out", "direct", "gather", "scatter", "hand_over",
          "hand_back")

Backend = Literal["auto", "cpu", "gpu"]
GpuSharing = Literal["auto", "share", "gather"]
Boundary = Literal["isolated", "periodic", "mirror_lower", "mirror_upper"]
PeriodicMethod = Literal["images", "table"]
Background = Literal["auto", "keep", "contrast"]
SofteningKernel = Literal["plummer", "spline"]
Criterion = Literal["auto", "opening", "acceleration", "multipole"]
NearCells = Literal["point", "cuboid"]
UniformMesh = Literal["auto", "tree", "convolution"]
ActiveBits = Literal["any", "same"]
Precision = Literal["single", "double"]
ErrorOf = Literal["auto", "potential", "acceleration"]
ErrorMeasure = Literal["p99", "p999", "p9999", "rms"]


class Options(TypedDict, total=False):
    """Keywords of Solver and of the one-shot calls."""

    # What solves; auto: the GPU where every rank has one that can be used, else the CPU. (auto, cpu, gpu, default auto)
    backend: Backend
    # How several ranks use one GPU: each by itself, or one of them for all; auto: gather where ranks outnumber GPUs. (auto,
    # share, gather, default auto)
    gpu_sharing: GpuSharing
    # What is beyond the domain, in all directions or in x, y and z: nothing, its repetitions, or its mirror image; but for
    # nothing it needs a domain. (isolated, periodic, mirror_lower, mirror_upper, default isolated)
    boundary: Union[Boundary, Sequence[Boundary]]
    # Opening angle; smaller is more accurate and slower. auto: 0.8, with order 4 1.0; few bodies on a GPU: none, all act on all.
    # (0.1 to 1, 0 (direct sum), auto, default auto)
    theta: Union[float, Literal["auto"]]
    # Multipole order of nodes; above 4 with precision double. auto: 2 for potentials alone, 4 with accelerations. (0 to 10, auto,
    # default auto)
    order: Union[int, Literal["auto"]]
    # The precision of a solve's sums. double: 1e-10 and better, at a small theta and a high order, for several times the time.
    # (single, double, default single)
    precision: Precision
    # When a node acts as one; auto: opening, or with a tolerance what is cheaper. (auto, opening, acceleration, multipole,
    # default auto)
    criterion: Criterion
    # What theta is to opening, to the other criteria: a node's bound over what acts on its targets. (1e-12 to 100, auto, default
    # auto)
    alpha: Union[float, Literal["auto"]]
    # Relative error that solves are to have, in place of theta, order and alpha. (1e-06 to 0.1, 0 (none), default 0)
    tolerance: float
    # The field whose error the tolerance is; auto: the acceleration where it is wanted. (auto, potential, acceleration, default
    # auto)
    tolerance_of: ErrorOf
    # Which error of all targets the tolerance is for. (p99, p999, p9999, rms, default p99)
    tolerance_at: ErrorMeasure
    # The most walks that one solve may take to keep the tolerance. (1 to 100, default 4)
    tolerance_effort: int
    # The gravitational constant, in the caller's units. (1e-80 to 1e+80, default 1)
    G: float
    # Whether a cell adds its own potential, that of a homogeneous cuboid. (true, false, default true)
    self_potential: bool
    # What cells are to targets within about a side and a half: points, or homogeneous cuboids. (point, cuboid, default point)
    near_cells: NearCells
    # Classes of sources that act: 1 for class 0, 2 for class 1, 4 for class 2, ..., added up. (1 to 255, default 255)
    acting_classes: int
    # What softening makes of 1/r. (plummer, spline, default plummer)
    softening_kernel: SofteningKernel
    # Softening length of points that bring none of their own. (1e-60 to 1e+60, 0 (none), default 0)
    softening: float
    # The box in which all cells must lie, its lower and upper corner; none: what the cells cover. ([[x, y, z], [x, y, z]], none,
    # default none)
    domain: Box
    # What cells that fill a box, periodic in all directions, do without; auto: nearly their least density, which the report has;
    # keep: nothing; contrast: the same as auto, and densities may be negative. (auto, keep, contrast, default auto)
    background: Background
    # Whether points beyond a periodic box act from, and feel, where they are in it; false: they are an error. (true, false,
    # default false)
    wrap: bool
    # Displacement in y of the box's image one period up in x: a sheared box, periodic in x and y. (-1e+60 to 1e+60, default 0)
    shear: float
    # How a box's images are added: nearest ones by the tree and the rest as one smooth function, or, to check by, pair by pair
    # from a table. (images, table, default images)
    periodic_method: PeriodicMethod
    # Nodes of the Ewald table (periodic_method: table) along half of the box's shortest periodic side. (4 to 64, default 24)
    ewald_nodes: int
    # Degree of the Ewald table's polynomials. (2 to 5, default 5)
    ewald_order: int
    # HDF5 file in which the Ewald table is kept between runs.
    ewald_cache: str
    # A rank whose bodies are where they were keeps its order and tree. (true, false, default true)
    keep_tree: bool
    # A rank whose points have moved keeps its order and tree as long as that is cheaper. (true, false, default false)
    keep_moved: bool
    # For bodies in no order of space: each rank solves for a stretch of the space-filling curve. (true, false, default false)
    redistribute: bool
    # Targets that walk the tree together (GPU: 32 or 64). (16 to 1024, auto, default auto)
    group_size: Union[int, Literal["auto"]]
    # A node of so many sources or fewer is not divided. (1 to 256, default 12)
    leaf_size: int
    # Boxes by which a rank tells the others where its targets are. (1 to 256, default 64)
    virtual_root_boxes: int
    # OpenMP threads a rank, on GPUs at most 8, and 16 of all ranks of a machine; auto: the cores that it may run on. (1 to 1024,
    # auto, default auto)
    threads: Union[int, Literal["auto"]]
    # So many random targets are compared with the direct sum after each solve. (0 or more, default 0)
    error_samples: int
    # Which random targets error_samples takes. (0 or more, default 1)
    error_seed: int
    # What bits active targets get: any, for the least time, or the same as in a solve for all. (any, same, default any)
    active_bits: ActiveBits
    # What a host says to have changed since the last solve is compared with what has, as debug builds do. (true, false, default
    # false)
    check_changed: bool
    # How a mesh of cells of one size is summed: by a convolution, exactly, or by a tree; auto: the former, unless theta and the
    # like are given. (auto, tree, convolution, default auto)
    uniform_mesh: UniformMesh


class StageTime(TypedDict):
    """Seconds of one stage over the ranks."""

    max: float
    mean: float


class ErrorStatistics(TypedDict):
    """Relative error against the direct sum at the options' error_samples targets."""

    samples: int
    max: float
    # 99.99%; max, if there are fewer than 10,000 samples
    p9999: float
    # 99.9%; max, if there are fewer than 1,000
    p999: float
    p99: float
    median: float
    rms: float
    # where the target with the largest error is, in the caller's lengths
    worst: Tuple[float, float, float]


class ToleranceReport(TypedDict):
    """How the tolerance was kept."""

    # Options::tolerance
    asked: float
    # that error of the last solve that was measured
    reached: float
    # whether `reached` is within 1.2 times what was asked; if not, there is a warning
    kept: bool
    # an error below which no shorter angle was found to bring it; 0: none was found
    floor: float
    # walks of this solve (Options::tolerance_effort); numbers of pairs and bytes are the last one's
    walks: int
    # 0: this one; what that took is the stage "tolerance"
    solves_ago: int
    # this and the rest: what this solve took
    criterion: Criterion
    theta: float
    alpha: float
    order: int


class Report(TypedDict):
    """What the last solve that finished did: the same on every rank but for `threads`."""

    # active cells and points of all ranks, other places in Block::result_guards, faces, and probes
    targets: int
    # cells and points that have mass
    sources: int
    ranks: int
    # OpenMP threads of the calling rank
    threads: int
    # ranks whose bodies were where they had been: nothing was sorted, no tree built for them
    unchanged_ranks: int
    # ranks whose points had moved and which kept order and tree (keep_moved), of those that solve
    moved_ranks: int
    # nodes that went with their points and kept their moments (Solver::drifted)
    predicted_nodes: int
    # how far points may be from where such a node has them, in its sides, at most on all ranks
    predicted_shift: float
    backend: str
    # what the caller should know, such as why the CPU was taken
    warnings: List[str]
    # the solve, slowest rank
    seconds: float
    stages: Dict[str, StageTime]
    # target-node pairs evaluated, all ranks
    node_interactions: int
    # target-cell (or target-point) pairs evaluated, all ranks
    cell_interactions: int
    # node-group pairs, through local expansions about the groups' centres
    far_interactions: int
    # unsoftened target-source pairs at distance zero, left out
    coincident_pairs: int
    # essential nodes and cells, and what Options::redistribute hands over and back; all ranks
    bytes_sent: int
    # essential nodes received, all ranks
    nodes_imported: int
    cells_imported: int
    # the most memory (GPU: device memory) that the solver held in the solve, largest rank
    peak_bytes: int
    # sampled error, if Options::error_samples > 0 or measured for the tolerance
    potential_error: Optional[ErrorStatistics]
    # sampled error, where accelerations were asked for
    acceleration_error: Optional[ErrorStatistics]
    # sampled error, where the tidal tensor was asked for
    tidal_error: Optional[ErrorStatistics]
    # how the tolerance was kept, if Options::tolerance > 0
    tolerance: Optional[ToleranceReport]
    # |sum m a| over sum m |a|: what the tree's errors leave of Newton's third law. If accelerations were asked for, all bodies
    # were active, and no direction is periodic.
    net_force: Optional[float]
    # |sum m x cross a| over sum m |a| |x|, x from the centre of mass; given where net_force is.
    net_torque: Optional[float]
    # density that was taken off all cells (Options::background); 0: none
    background: float
    # The shortest sqrt(h/|a|) of all active targets, h the shortest side of a cell, or the softening length of a point: what a
    # host takes its part of. If accelerations were asked for, and something with a length is pulled. (Not of guard cells and
    # probes.)
    time_step: Optional[float]
