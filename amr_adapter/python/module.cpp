// SPDX-License-Identifier: Apache-2.0
// The extension module gravlet._gravlet: a solver whose arrays are views of Python's. The package (gravlet/__init__.py) makes its
// arguments and is what users see.
#include "amr_adapter/python/arrays.hpp"
#include "amr_adapter/python/listener.hpp"
#include "amr_adapter/python/report.hpp"

#include <gravlet/option_list.hpp>
#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::python {
namespace {

namespace py = pybind11;

/// Calls what other Python threads are not to wait for.
template <class F>
auto without_lock(F&& call) {
    const py::gil_scoped_release release;
    return std::forward<F>(call)();
}

class PythonSolver {
public:
    /// `comm`: of MPI_Comm_c2f(). `options`: by name, as text.
    PythonSolver(int comm, const std::vector<std::pair<std::string, std::string>>& options, py::object listener) {
        Options chosen;
        for (const auto& [name, value] : options) set_option(chosen, name, value);
        listener_ = std::make_shared<PythonListener>(std::move(listener));
        without_lock([&] { solver_.emplace(MPI_Comm_f2c(comm), chosen, listener_); });
    }
    PythonSolver(const PythonSolver&) = delete;
    PythonSolver& operator=(const PythonSolver&) = delete;
    ~PythonSolver() {
        without_lock([&] { solver_.reset(); });
    }

    /// Cells and points are tuples of arrays, or None; probes an object with x, y, z and the fields' attributes, or None.
    void solve_bodies(const py::object& cells, const py::object& cell_results, const py::object& points,
                      const py::object& point_results, const py::object& probes) {
        Cells c;
        Points p;
        Probes places;
        Fields cell_fields, point_fields;
        here([&] {
            if (!cells.is_none()) c = to_cells(cells);
            if (!points.is_none()) p = to_points(points);
            cell_fields = fields(cell_results, size_of(c.x));
            point_fields = fields(point_results, size_of(p.x));
            places = to_probes(probes);
        });
        run([&] {
            if (cells.is_none())
                solver_->solve(p, point_fields, places);
            else
                solver_->solve(c, cell_fields, p, point_fields, places);
        });
    }

    void solve_blocks(const py::list& blocks, const py::object& points, const py::object& point_results,
                      const py::object& probes) {
        std::vector<Block> all;
        Points p;
        Probes places;
        Fields point_fields;
        here([&] {
            for (std::size_t b = 0; b < blocks.size(); ++b) all.push_back(block(blocks[b], "block " + std::to_string(b)));
            if (!points.is_none()) p = to_points(points);
            point_fields = fields(point_results, size_of(p.x));
            places = to_probes(probes);
        });
        run([&] { solver_->solve(all, p, point_fields, places); });
    }

    void set_G(double G) {
        without_lock([&] { solver_->set_G(G); });
    }
    void set_softening(double length) {
        without_lock([&] { solver_->set_softening(length); });
    }
    void set_domain(const std::array<double, 3>& lower, const std::array<double, 3>& upper) {
        without_lock([&] { solver_->set_domain({lower, upper}); });
    }
    void set_shear(double length) {
        without_lock([&] { solver_->set_shear(length); });
    }

    void only_changed(const py::object& given) {
        const py::buffer_info flags = given.cast<py::buffer>().request();
        solver_->only_changed({static_cast<const std::uint8_t*>(flags.ptr), static_cast<std::size_t>(flags.size)});
    }

    /// The solver reads the arrays in the next solve: whoever calls keeps them until then.
    void drifted(const py::object& vx, const py::object& vy, const py::object& vz, double time) {
        const InputSpan x = input(vx, "x of velocities");
        solver_->drifted({x, input(vy, "y of velocities", size_of(x)), input(vz, "z of velocities", size_of(x))}, time);
    }

    SteeringState get_steering() {
        SteeringState state;
        without_lock([&] { state = solver_->get_steering(); });
        return state;
    }
    /// A state of another size is none that get_steering() gave, which set_steering() says on all ranks.
    void set_steering(const std::vector<double>& values) {
        SteeringState state;
        state.fill(-1.0);
        if (values.size() == state.size()) std::ranges::copy(values, state.begin());
        without_lock([&] { solver_->set_steering(state); });
    }

    /// Collective. Takes the place of a solve.
    void abandon(const std::string& message) {
        without_lock([&] { solver_->abandon(message); });
    }

    [[nodiscard]] const Solver& solver() const { return *solver_; }

private:
    /// A solve, which signals end.
    template <class F>
    void run(const F& solve) {
        try {
            without_lock(solve);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) listener_->raise_what_ended_it();
            throw;
        }
    }

    /// What is wrong on this rank alone reaches all.
    template <class F>
    void here(F&& read) {
        try {
            std::forward<F>(read)();
        } catch (const py::error_already_set& error) {
            abandon(error.what());
        } catch (const py::cast_error& error) {
            abandon(error.what());
        } catch (...) {
            const std::exception_ptr caught = std::current_exception();
            without_lock([&] { solver_->abandon(caught); });
        }
    }

    static std::ptrdiff_t size_of(const InputSpan& x) { return static_cast<std::ptrdiff_t>(x.size()); }

    static Cells to_cells(const py::tuple& t) {
        const InputSpan x = input(t[0], "x of cells");
        const std::ptrdiff_t n = size_of(x);
        return {x,
                input(t[1], "y of cells", n),
                input(t[2], "z of cells", n),
                input(t[3], "dx of cells", n),
                input(t[4], "dy of cells", n),
                input(t[5], "dz of cells", n),
                input(t[6], "mass of cells", n),
                flags(t[7], "active of cells", n),
                flags(t[8], "source_class of cells", n)};
    }
    static Points to_points(const py::tuple& t) {
        const InputSpan x = input(t[0], "x of points");
        const std::ptrdiff_t n = size_of(x);
        return {x,
                input(t[1], "y of points", n),
                input(t[2], "z of points", n),
                input(t[3], "mass of points", n),
                flags(t[4], "active of points", n),
                input(t[5], "softening of points", n),
                flags(t[6], "source_class of points", n)};
    }

    static Probes to_probes(const py::object& probes) {
        if (probes.is_none()) return {};
        const InputSpan x = input(probes.attr("x"), "x of probes");
        const std::ptrdiff_t n = size_of(x);
        return {x, input(probes.attr("y"), "y of probes", n), input(probes.attr("z"), "z of probes", n), fields(probes, n)};
    }

    std::shared_ptr<PythonListener> listener_;
    std::optional<Solver> solver_;
};

/// Handle of this process's own communicator, for one that has no mpi4py: MPI begins here, and ends when Python does.
int alone() {
    int is_begun = 0, ranks = 1;
    MPI_Initialized(&is_begun);
    if (is_begun == 0) {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        py::module_::import("atexit").attr("register")(py::cpp_function([] {
            int is_ended = 0;
            MPI_Finalized(&is_ended);
            if (is_ended == 0) MPI_Finalize();
        }));
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1)
        throw Error(ErrorCode::not_available,
                    "this is one of " + std::to_string(ranks) + " ranks: to solve together they need mpi4py");
    return MPI_Comm_c2f(MPI_COMM_SELF);
}

/// The MPI that gravlet was compiled with, and the one that answers its calls in this process: two lines, of which another
/// library in the process may have taken the place of the second.
std::pair<std::string, std::string> mpi_libraries() {
    std::string running(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
    int length = 0;
    MPI_Get_library_version(running.data(), &length);
    running.resize(std::strlen(running.data()));  // some count the terminating zero
#ifdef OPEN_MPI
    const char* const compiled = "Open MPI";
#else
    const char* const compiled = "MPICH or its like";
#endif
    return {compiled, running};
}

/// gravlet.Error is a RuntimeError; gravlet.InputError is one of these, and a ValueError.
void define_errors(py::module_& m) {
    const auto make = [&](const char* name, const char* doc, py::handle bases) {
        const std::string full = std::string("gravlet.") + name;
        py::object made = py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr));
        m.attr(name) = made;
        return made.release();
    };
    static const py::handle error =
        make("Error", "What gravlet could not do: the same on every rank. `code` names the kind.", PyExc_RuntimeError);
    static const py::handle wrong =
        make("InputError", "Arrays or options that no solver could accept.", py::make_tuple(error, py::handle(PyExc_ValueError)));
    wrong.attr("code") = name_of(ErrorCode::invalid_input);            // of those that the package raises itself
    py::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param): pybind11's
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& caught) {
            const bool of_input = caught.code() == ErrorCode::invalid_option || caught.code() == ErrorCode::invalid_input;
            const py::object exception = (of_input ? wrong : error)(caught.what());
            exception.attr("code") = name_of(caught.code());
            PyErr_SetObject((of_input ? wrong : error).ptr(), exception.ptr());
        }
    });
}

}  // namespace

PYBIND11_MODULE(_gravlet, m) {
    define_errors(m);
    py::class_<PythonSolver>(m, "Solver")
        .def(py::init<int, const std::vector<std::pair<std::string, std::string>>&, py::object>())
        .def("solve_bodies", &PythonSolver::solve_bodies)
        .def("solve_blocks", &PythonSolver::solve_blocks)
        .def("set_G", &PythonSolver::set_G)
        .def("set_softening", &PythonSolver::set_softening)
        .def("set_domain", &PythonSolver::set_domain)
        .def("set_shear", &PythonSolver::set_shear)
        .def("only_changed", &PythonSolver::only_changed)
        .def("drifted", &PythonSolver::drifted)
        .def("get_steering", &PythonSolver::get_steering)
        .def("set_steering", &PythonSolver::set_steering)
        .def("abandon", &PythonSolver::abandon)
        .def("report", [](const PythonSolver& s) { return to_dict(s.solver().report()); })
        .def("report_text", [](const PythonSolver& s) { return to_string(s.solver().report()); })
        .def("options", [](const PythonSolver& s) {
            py::dict all;
            for (const OptionInfo& option : option_list())
                all[py::str(option.name)] = get_option(s.solver().options(), option.name);
            return all;
        });
    m.def("options", [] {
        py::dict all;
        for (const OptionInfo& o : option_list()) {
            using namespace py::literals;
            all[py::str(o.name)] =
                py::dict("type"_a = o.type, "range"_a = o.range, "default"_a = o.default_value, "help"_a = o.help);
        }
        return all;
    });
    m.def("check_options", [](const std::vector<std::pair<std::string, std::string>>& options) {
        Options chosen;
        for (const auto& [name, value] : options) set_option(chosen, name, value);
    });
    m.def("alone", &alone);
    m.def("mpi_libraries", &mpi_libraries);
    m.def("backends", &backends);
    m.def("version", [] { return std::string(version()); });
}

}  // namespace gravlet::python
