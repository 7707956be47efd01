// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a simulation: p4est writes mesh, gas and accelerations; what all ranks know alike is a file of its own.
#include "simulation.hpp"

#include <fstream>
#include <stdexcept>

namespace core_collapse {

namespace {

template <class Value>
void put(std::ostream& file, const Value& value) {
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Value>
void get(std::istream& file, Value& value) {
    file.read(reinterpret_cast<char*>(&value), sizeof value);
}

}  // namespace

void Simulation::save(const std::string& path) {
    const gravlet::SteeringState learned = gravity_.solver().get_steering();
    mesh_.save(path + ".mesh");
    int rank = 0, written = 1;
    MPI_Comm_rank(mesh_.comm(), &rank);
    if (rank == 0) {
        std::ofstream file(path, std::ios::binary);
        put(file, status_), put(file, learned), put(file, sinks_.size());
        for (const Sink& sink : sinks_) put(file, sink);
        file.close();
        written = file ? 1 : 0;
    }
    MPI_Bcast(&written, 1, MPI_INT, 0, mesh_.comm());
    if (written == 0) throw std::runtime_error("checkpoint " + path + " could not be written");
}

void Simulation::resume(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    gravlet::SteeringState learned;
    std::size_t sinks = 0;
    get(file, status_), get(file, learned), get(file, sinks);
    if (!file) throw std::invalid_argument("no checkpoint " + path);
    sinks_.resize(sinks);
    for (Sink& sink : sinks_) get(file, sink);
    if (!file) throw std::invalid_argument("checkpoint " + path + " ends too early");
    gravity_.solver().set_steering(learned);
}

}  // namespace core_collapse
