#include "gradus/core/error.h"
#include "python/bindings/bindings.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of Gradus; use it through the package gradus.";
  pybind11::register_exception<gradus::InputError>(module, "InputError", PyExc_ValueError);
  gradus::python::add_gains(module);
  gradus::python::add_policies(module);
  gradus::python::add_replay(module);
  gradus::python::add_shuffle(module);
  gradus::python::add_syllabus(module);
}
