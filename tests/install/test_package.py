# SPDX-License-Identifier: Apache-2.0
"""The Debian package. The environment variable GRADUS_BUILD is the build that makes it."""

import os
import pathlib
import re
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["GRADUS_BUILD"])
MAINTAINER = "A Packager <packager@example.org>"


def succeed(*command, **options):
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Made as a packager makes it, with another maintainer."""
    succeed("cmake", "--build", BUILD, "--target", "gradus", "gradus_documents")
    folder = tmp_path_factory.mktemp("package")
    settings = {"CPACK_PACKAGE_DIRECTORY": folder, "CPACK_DEBIAN_PACKAGE_MAINTAINER": MAINTAINER}
    options = [word for key, value in settings.items() for word in ("-D", f"{key}={value}")]
    succeed("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", *options)
    (made,) = folder.glob("*.deb")
    return made


@pytest.fixture(scope="module")
def root(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("root")
    succeed("dpkg-deb", "--extract", package, folder)
    return folder


def field(package, name):
    return succeed("dpkg-deb", "--field", package, name).strip()


def test_it_has_the_program_the_man_page_and_the_completion(root):
    files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    assert files == [
        "usr/bin/gradus",
        "usr/share/bash-completion/completions/gradus",
        "usr/share/doc/gradus/copyright",
        "usr/share/man/man1/gradus.1.gz",
    ]


def test_its_name_says_the_version_and_the_architecture(package):
    version, architecture = field(package, "Version"), field(package, "Architecture")
    assert architecture == succeed("dpkg", "--print-architecture").strip()
    assert package.name == f"gradus_{version}_{architecture}.deb"
    assert field(package, "Maintainer") == MAINTAINER


def owner(library):
    """The package of a library, found by its file."""
    for path in {library, os.path.realpath(library), library.removeprefix("/usr")}:
        done = subprocess.run(["dpkg", "--search", path], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    pytest.fail(f"no package has {library}")


def test_it_depends_on_the_packages_of_its_libraries(package, root):
    depends = field(package, "Depends")
    program = root / "usr/bin/gradus"
    needed = re.findall(r"NEEDED +(\S+)", succeed("objdump", "--private-headers", program))
    places = dict(re.findall(r"^\s+(\S+) => (\S+)", succeed("ldd", program), re.MULTILINE))
    assert any(library.startswith("libsqlite3") for library in needed)
    for library in needed:
        if library not in places:  # the loader
            continue
        name = owner(places[library])
        assert re.search(rf"(^|[ ,|]){re.escape(name)}($|[ ,])", depends), (library, name)


def test_the_program_runs_from_it(package, root):
    out = succeed(root / "usr/bin/gradus", "--version", cwd=root)
    assert out.strip() == f"gradus {field(package, 'Version')}"
    assert "pg" in succeed(root / "usr/bin/gradus", "list", "gains", cwd=root)


def test_man_finds_its_page(root):
    settings = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"}
    page = succeed("man", "--manpath", root / "usr/share/man", "gradus", env=settings)
    assert "automated curriculum learning" in page


def test_bash_completes_with_it(root):
    script = (
        f". {root}/usr/share/bash-completion/completions/gradus\n"
        'COMP_WORDS=(gradus train gain = gv); COMP_CWORD=4; _gradus; echo "${COMPREPLY[@]}"'
    )
    assert succeed("bash", "-c", script) == "gvcg\n"
