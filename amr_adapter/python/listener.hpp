// SPDX-License-Identifier: Apache-2.0
// A Python object that hears of a solver: those of warning(text), begin_stage(name), end_stage(name) and progress(what, done)
// that it has. What it raises goes to sys.unraisablehook.
#pragma once

#include <gravlet/listener.hpp>

#include <pybind11/pybind11.h>

namespace gravlet::python {

class PythonListener final : public Listener {
public:
    explicit PythonListener(pybind11::object object) : object_(std::move(object)) {}
    ~PythonListener() override {
        const pybind11::gil_scoped_acquire lock;
        object_ = {};
    }
    PythonListener(const PythonListener&) = delete;
    PythonListener& operator=(const PythonListener&) = delete;

    void warning(const char* text) override { call("warning", text); }
    void begin_stage(const char* stage) override { call("begin_stage", stage); }
    void end_stage(const char* stage) override { call("end_stage", stage); }
    void progress(const char* what, double done) override { call("progress", what, done); }
    [[nodiscard]] double interval() const override {
        const pybind11::gil_scoped_acquire lock;
        return pybind11::hasattr(object_, "interval") ? object_.attr("interval").cast<double>() : Listener::interval();
    }

private:
    template <class... T>
    void call(const char* name, T... arguments) {
        const pybind11::gil_scoped_acquire lock;
        if (!pybind11::hasattr(object_, name)) return;
        try {
            object_.attr(name)(arguments...);
        } catch (pybind11::error_already_set& error) {
            error.discard_as_unraisable(name);
        }
    }

    pybind11::object object_;
};

}  // namespace gravlet::python
