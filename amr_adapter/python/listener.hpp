// SPDX-License-Identifier: Apache-2.0
// A Python object that hears of a solver: those of warning(text), begin_stage(name), end_stage(name), progress(what, done) and
// cancelled() that it has. What it raises goes to sys.unraisablehook. And Python's signals, such as Ctrl-C's, which end a solve.
#pragma once

#include <gravlet/listener.hpp>

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>
#include <utility>

namespace gravlet::python {

class PythonListener final : public Listener {
public:
    /// `object`: None, if nobody listens.
    explicit PythonListener(pybind11::object object) : object_(std::move(object)), is_heard_(!object_.is_none()) {}
    ~PythonListener() override {
        const pybind11::gil_scoped_acquire lock;
        object_ = {};
        raised_.reset();
    }
    PythonListener(const PythonListener&) = delete;
    PythonListener& operator=(const PythonListener&) = delete;

    void warning(const char* text) override { call("warning", text); }
    void begin_stage(const char* stage) override { call("begin_stage", stage); }
    void end_stage(const char* stage) override { call("end_stage", stage); }
    void progress(const char* what, double done) override { call("progress", what, done); }
    [[nodiscard]] double interval() const override {
        if (!is_heard_) return Listener::interval();
        const pybind11::gil_scoped_acquire lock;
        return pybind11::hasattr(object_, "interval") ? object_.attr("interval").cast<double>() : Listener::interval();
    }
    /// Asks Python ten times a second at most: its lock may have to be waited for.
    bool cancelled() override {
        const auto now = std::chrono::steady_clock::now();
        if (!is_heard_ && now - asked_ < std::chrono::milliseconds(100)) return false;
        asked_ = now;
        const pybind11::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) {
            raised_.emplace();
            return true;
        }
        const pybind11::object answer = call("cancelled");
        return answer && PyObject_IsTrue(answer.ptr()) == 1;
    }

    /// Throws what the handler of a signal raised, if that is why a solve was cancelled. Python's lock is held.
    void raise_what_ended_it() {
        if (!raised_) return;
        const pybind11::error_already_set raised = *raised_;
        raised_.reset();
        throw raised;
    }

private:
    template <class... T>
    pybind11::object call(const char* name, T... arguments) {
        if (!is_heard_) return {};
        const pybind11::gil_scoped_acquire lock;
        if (!pybind11::hasattr(object_, name)) return {};
        try {
            return object_.attr(name)(arguments...);
        } catch (pybind11::error_already_set& error) {
            error.discard_as_unraisable(name);
            return {};
        }
    }

    pybind11::object object_;
    bool is_heard_;
    std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
    std::optional<pybind11::error_already_set> raised_;
};

}  // namespace gravlet::python
