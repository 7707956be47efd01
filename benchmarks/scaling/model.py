# SPDX-License-Identifier: Apache-2.0
"""What a solve takes on P ranks of n bodies each, a term for each part of it (docs/scaling.md says why these):

    tree        (a n log2 n + b n + c n f) (1 + v (1 - 1/P))        fitted; f: how full machines are, v: what ranks wait for the
                                                                    slowest one
    walk        n (w0 + w1 pairs + w2 pairs f) (1 + u (1 - 1/P))    fitted; u likewise
    pairs       p0 + p1 N^(-1/3) + p2 log2 N + p3 log2 P            fitted; a target's, N = n P, at most that of the last run timed
    bytes       b0 n^(2/3) (1 - P^(-1/3)) + b1 log2 P               fitted; sent by a rank: surfaces to neighbours, and what is far
    essential   (e0 + e1 f) bytes + seconds a remote rank           fitted, and given
    exchange    x0 bytes + x1 log2 P                                fitted; and of bytes / bandwidth + messages latency what the walk
                                                                    does not hide, and a fifth of what it does: given
    merge       (m0 + m1 f) bytes + seconds a remote rank           fitted, and given
    roots       r log2 P + seconds a remote rank                    fitted, no less than latency; and given, with table / bandwidth
    agreements  g log2 P: what is left of a solve                   fitted; no less than count latencies: given

Of the others what ranks wait is in the term (series.parts). f is 1 where every core has a thread, which share memory and, of some
machines, the cores themselves; ranks beyond those that were measured are taken to fill their machines. Of GPUs it is 0.

Given is what one machine does not show: constants of a network, and seconds a remote rank, which gravlet_synthetic_ranks
measures. Terms in log2 P are fitted from three numbers of ranks beyond 1 on, for fewer do not tell them from the others.
Where the solves that were measured deviate from the model by more than WORST_MISFIT, it is not asked beyond REACH times the ranks of these.
"""

import dataclasses
import math

import numpy as np

import series as of

# Groups that walk while messages travel walk two trees in place of one: on two GPUs 14 ms of exchange cost the walk 2.5 more.
EARLY = 0.2

TERMS = ("tree", "roots", "essential", "exchange", "merge", "walk", "agreements")
WORST_MISFIT = 0.25  # rms of measured over modelled solves, less 1
REACH = 10
MOST_RANKS = 100_000


def terms(run):
    """What a run took, by terms: its own, and what ranks waited."""
    own, waited = of.parts(run)
    for seconds in (own, waited):
        seconds["tree"] += seconds.pop("results")
    return own, waited


def of_term(run, term):
    return sum(seconds[term] for seconds in terms(run))


@dataclasses.dataclass
class Network:
    latency: float = 2e-6      # seconds
    bandwidth: float = 10e9    # bytes a second and rank
    agreements: int = 12       # all-reduces of a solve, counted


@dataclasses.dataclass
class RemoteRanks:
    """What each remote rank costs a rank, however little it sends: seconds, and bytes of the table of virtual roots; and how many
    are near, so that there are messages."""

    roots: float = 1e-7
    essential: float = 3e-7
    merge: float = 1e-7
    table: float = 250.0
    near: int = 26
    measured: bool = False


def least_squares(rows, values, relative=True):
    """The non-negative coefficients of columns nearest to the values: whichever comes out negative is left out, and the others
    fitted anew. `relative`: a deviation counts by its share of the value, so that small runs tell as much as large ones."""
    rows, values = np.asarray(rows, float), np.asarray(values, float)
    if relative:
        keep = values > 0
        rows, values = rows[keep] / values[keep, None], np.ones(keep.sum())
    out = np.zeros(rows.shape[1])
    used = [column for column in range(rows.shape[1]) if np.any(rows[:, column] != 0)]
    while used and len(rows):
        scale = np.abs(rows[:, used]).max(axis=0)
        found = np.linalg.lstsq(rows[:, used] / scale, values, rcond=1e-9)[0] / scale
        if found.min() >= 0:
            out[used] = found
            break
        used.pop(int(np.argmin(found * scale)))
    return out


def surface(n, ranks):
    return n ** (2 / 3) * (1 - ranks ** (-1 / 3))


def pair_columns(bodies, hops):
    """Where bodies are few their leaves are heavy, and opened wider: hence the second."""
    return np.stack([np.ones_like(bodies), bodies ** (-1 / 3), np.log2(bodies), hops], -1)


def of_synthetic(content):
    """RemoteRanks as gravlet_synthetic_ranks measured them: what its runs grow by with the number of ranks."""
    runs = content["runs"]
    rows = [[1.0, run["ranks"]] for run in runs]

    def slope(name):
        return float(least_squares(rows, [run[name] for run in runs], relative=False)[1])

    return RemoteRanks(slope("roots_s"), slope("essential_s"), slope("complete_s"), slope("root_table_bytes"),
                       max(run["near"] for run in runs), measured=True)


@dataclasses.dataclass
class Model:
    network: Network
    remote: RemoteRanks
    tree: np.ndarray       # of n log2 n, n, n f
    pairs: np.ndarray      # a target: of pair_columns()
    most_bodies: float     # N of the last one timed
    walk: np.ndarray       # seconds a target, an interaction, and one of a full machine beyond that
    uneven: dict           # of tree and walk: what ranks wait, over their own
    sent: np.ndarray       # of the surface, log2 P
    essential: np.ndarray  # seconds a byte, and one of a full machine beyond that
    merge: np.ndarray
    exchange: np.ndarray   # seconds a byte sent, and of log2 P
    roots: float           # of log2 P
    agreements: float      # of log2 P
    fills: float           # ranks that fill a machine
    measured: tuple        # the fewest and the most ranks whose times were fitted
    residual: float = 0.0  # rms of measured over modelled solves, less 1
    misfits: dict = dataclasses.field(default_factory=dict)  # of each term: rms deviation over its own seconds, and over the solve's

    def bytes(self, n, ranks):
        return self.sent @ [surface(n, ranks), np.log2(ranks)]

    def pairs_per_target(self, n, ranks):
        return self.pairs @ pair_columns(min(n * ranks, self.most_bodies), np.log2(ranks))

    def filled(self, ranks):
        return min(1.0, ranks / self.fills)

    def terms(self, n, ranks):
        """Seconds of each, on `ranks` ranks of n bodies."""
        net, far, hops = self.network, self.remote, np.log2(ranks)
        others, sent, full, pairs = ranks - 1, self.bytes(n, ranks), self.filled(ranks), self.pairs_per_target(n, ranks)
        slowest = {term: 1 + share * (1 - 1 / ranks) for term, share in self.uneven.items()}
        walk = n * (self.walk @ [1.0, pairs, pairs * full]) * slowest["walk"]
        travel = sent / net.bandwidth + min(others, far.near) * net.latency
        hidden = min(travel, walk)
        return {
            "tree": self.tree @ [n * np.log2(n), n, n * full] * slowest["tree"],
            "roots": hops * max(self.roots, net.latency) + others * (far.roots + far.table / net.bandwidth),
            "essential": self.essential @ [sent, sent * full] + others * far.essential,
            "exchange": self.exchange @ [sent, hops] + travel - hidden + EARLY * hidden,
            "merge": self.merge @ [sent, sent * full] + others * far.merge,
            "walk": walk,
            "agreements": hops * max(self.agreements, net.agreements * net.latency),
        }

    def reach(self):
        """The most ranks that it may be asked for."""
        return MOST_RANKS if self.residual <= WORST_MISFIT else min(MOST_RANKS, REACH * self.measured[1])

    def along(self, bodies):
        """This model for a series whose last timed run had so many bodies in all: no interactions are saved by larger N."""
        return dataclasses.replace(self, most_bodies=bodies)

    def seconds(self, n, ranks):
        return sum(self.terms(n, ranks).values())


def hops_of(runs):
    """log2 of their ranks; zeros where they are too few to tell its terms from others."""
    ranks = np.array([of.ranks(run) for run in runs], float)
    return np.log2(ranks) if len(set(ranks) - {1}) >= 3 else np.zeros(len(runs))


def fit(runs, network, remote):
    """The model of one problem on one device, weak and strong together. Times are those of runs that had cores of their own."""
    timed = of.timed(runs)
    if not timed:
        raise ValueError("no run had its cores or GPUs to itself: no times to fit")
    n = np.array([of.targets(run) / of.ranks(run) for run in runs])
    ranks = np.array([of.ranks(run) for run in runs], float)
    hops = hops_of(runs)
    pairs = least_squares(pair_columns(n * ranks, hops), [of.pairs_per_target(run) for run in runs])
    sent = least_squares(np.stack([surface(n, ranks), hops], 1), [of.bytes_per_rank(run) for run in runs])

    def per_byte(group):
        """Seconds of a group of stages for each byte sent, and for one on full machines beyond that."""
        sending = [run for run in timed if of.bytes_per_rank(run) > 0]
        rows = [[of.bytes_per_rank(run), of.bytes_per_rank(run) * of.filled(run)] for run in sending]
        return least_squares(rows, [of_term(run, group) for run in sending]) if sending else np.zeros(2)

    n_timed = np.array([of.targets(run) / of.ranks(run) for run in timed])
    own, waited = zip(*(terms(run) for run in timed))
    full = np.array([of.filled(run) for run in timed])
    tree = least_squares(np.stack([n_timed * np.log2(n_timed), n_timed, n_timed * full], 1), [seconds["tree"] for seconds in own])
    walk = least_squares([[of.targets(run) / of.ranks(run), of.pairs_per_rank(run), of.pairs_per_rank(run) * of.filled(run)]
                          for run in timed], [seconds["walk"] for seconds in own])
    several = [run for run in timed if of.ranks(run) > 1]

    def uneven(term):
        shares = [late[term] / seconds[term] / (1 - 1 / of.ranks(run)) for run, seconds, late in zip(timed, own, waited)
                  if of.ranks(run) > 1]
        return float(np.median(shares)) if shares else 0.0

    timed_ranks = [of.ranks(run) for run in timed]

    def by_hops(term, column=lambda run: 0.0):
        """Coefficients of a column and of log2 P."""
        if not several:
            return np.zeros(2)
        return least_squares(np.stack([[column(run) for run in several], hops_of(several)], 1), [of_term(run, term) for run in several])

    model = Model(network, remote, tree, pairs, max(of.targets(run) for run in timed), walk,
                  {term: uneven(term) for term in ("tree", "walk")}, sent,
                  per_byte("essential"), per_byte("merge"), by_hops("exchange", of.bytes_per_rank), float(by_hops("roots")[1]),
                  float(by_hops("agreements")[1]),
                  max(of.ranks(run) / of.filled(run) if of.filled(run) > 0 else math.inf for run in timed),
                  (min(timed_ranks), max(timed_ranks)))
    off = [of.seconds(run) / model.seconds(of.targets(run) / of.ranks(run), of.ranks(run)) - 1 for run in timed]
    model.residual = rms(off)
    for term in TERMS:
        both = [(of_term(run, term), model.terms(of.targets(run) / of.ranks(run), of.ranks(run))[term], of.seconds(run))
                for run in several]
        model.misfits[term] = (rms([modelled / seconds - 1 for seconds, modelled, _ in both if seconds > 0]),
                               rms([(modelled - seconds) / whole for seconds, modelled, whole in both]))
    return model


def rms(values):
    return float(np.sqrt(np.mean(np.square(values)))) if values else 0.0


LEAST_BODIES = 1000  # a rank: with fewer a strong series is drawn no further


def ladder(kind, n, base, most):
    """Numbers of ranks from `base` to `most`, and the bodies a rank; `n`: on `base` ranks."""
    if kind == "strong":
        most = min(most, base * n / LEAST_BODIES)
    ranks = np.unique(np.append(np.geomspace(base, max(base, most), 200), [base, max(base, most)]))
    return [(float(p), float(n if kind == "weak" else n * base / p)) for p in ranks]


def efficiency(model, kind, n, base, ranks):
    """Efficiency: bodies a second of a rank, as a share of that on `base` ranks with n bodies each."""
    here = n if kind == "weak" else n * base / ranks
    return (here / model.seconds(here, ranks)) / (n / model.seconds(n, base))


def breaks_first(model, kind, n, base):
    """One line: from the most ranks that were measured on, which term is the first to cost a tenth of a solve more than there, and
    what is left at the end. n: bodies a rank on `base` ranks."""
    most = model.measured[1]
    here = n if kind == "weak" else n * base / most
    start, whole = model.terms(here, most), model.seconds(here, most)
    steps = ladder(kind, here, most, model.reach())

    def lost(ranks, bodies):
        """What each term takes beyond its share, over what a solve should take."""
        share = bodies / here
        return {term: (seconds - share * start[term]) / (share * whole) for term, seconds in model.terms(bodies, ranks).items()}

    def left(ranks):
        return f"{efficiency(model, kind, n, base, ranks):.0%}"

    last, bodies = steps[-1]
    losses = lost(last, bodies)
    end = f"at {last:,.0f} ranks the efficiency is {left(last)}, most of the loss in {max(losses, key=losses.get)}"
    if model.residual > WORST_MISFIT:
        end += f", and beyond {model.reach():,} the model, which is {model.residual:.0%} off what was measured, is not asked"
    for ranks, bodies in steps:
        term, loss = max(lost(ranks, bodies).items(), key=lambda item: item[1])
        if loss >= 0.1:
            return (f"what breaks first is {term}: at {ranks:,.0f} ranks it costs a tenth of a solve (efficiency {left(ranks)}); "
                    f"{end}")
    return f"nothing costs a tenth of a solve; {end}"


def constants(model):
    """One line of what was fitted."""
    tree, walk, pairs, sent = 1e9 * model.tree, 1e9 * model.walk, model.pairs, model.sent
    essential, merge = 1e9 * model.essential, 1e9 * model.merge
    return (f"tree {tree[0]:.3g} n log2 n + {tree[1]:.3g} n + {tree[2]:.3g} n f ns, slowest rank +{model.uneven['tree']:.1%}; interactions a "
            f"target {pairs[0]:.4g} + {pairs[1]:.3g} N^(-1/3) + {pairs[2]:.3g} log2 N + {pairs[3]:.3g} log2 P, walk {walk[0]:.3g} ns a "
            f"target and {walk[1]:.3g} + {walk[2]:.3g} f ns an interaction, slowest rank +{model.uneven['walk']:.1%}; bytes sent a rank "
            f"{sent[0]:.4g} n^(2/3) (1 - P^(-1/3)) + {sent[1]:.4g} log2 P; essential walk {essential[0]:.3g} + {essential[1]:.3g} f, merge "
            f"{merge[0]:.3g} + {merge[1]:.3g} f and exchange {1e9 * model.exchange[0]:.3g} ns a byte sent; roots "
            f"{1e6 * model.roots:.3g} log2 P, exchange {1e6 * model.exchange[1]:.3g} log2 P, agreements "
            f"{1e6 * model.agreements:.3g} log2 P us; rms deviation {model.residual:.1%} on {model.measured[0]} to {model.measured[1]} ranks")


def misfit_table(model):
    """Lines: how far each term is off what was measured on two ranks and more."""
    return ["term: rms deviation from its own seconds, and as a share of the solve",
            *(f"  {term:<11}{own:>8.1%}{share:>9.2%}" for term, (own, share) in model.misfits.items())]


def assumptions(network, remote):
    """One line of what was not fitted."""
    known = "as gravlet_synthetic_ranks measured it" if remote.measured else "assumed"
    return (f"network, assumed: latency {1e6 * network.latency:g} us, {1e-9 * network.bandwidth:g} GB/s a rank, {network.agreements} "
            f"agreements a solve; a remote rank, {known}: roots {1e9 * remote.roots:.3g} ns, essential walk "
            f"{1e9 * remote.essential:.3g} ns, merge {1e9 * remote.merge:.3g} ns, {remote.table:.4g} bytes "
            f"({MOST_RANKS * remote.table / 1e6:.3g} MB of {MOST_RANKS:,} ranks), at most {remote.near} of them near")
