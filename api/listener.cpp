// SPDX-License-Identifier: Apache-2.0
#include <gravlet/listener.hpp>

namespace gravlet {

Listener::~Listener() = default;
void Listener::warning(const char*) {}
void Listener::begin_stage(const char*) {}
void Listener::end_stage(const char*) {}
void Listener::progress(const char*, double) {}
double Listener::interval() const { return 1.0; }
bool Listener::cancelled() { return false; }

}  // namespace gravlet
