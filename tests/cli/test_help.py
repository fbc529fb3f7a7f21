# SPDX-License-Identifier: Apache-2.0
"""--help, --version and invalid command lines."""

import os
import re
import resource
import shutil
import subprocess
import tempfile

import pytest

from program import GRADUS, fail, refuse, run, succeed

COMMANDS = [
    [],
    ["train"],
    ["resume"],
    ["sweep"],
    ["reproduce"],
    ["report"],
    ["serve"],
    ["arena"],
    ["export"],
    ["replay"],
    ["data"],
    ["data", "repeat-copy"],
    ["data", "ngram"],
    ["data", "babi"],
    ["data", "files"],
    ["data", "stress"],
    ["list"],
    ["list", "gains"],
    ["list", "policies"],
    ["list", "curricula"],
    ["info"],
    ["runs"],
    ["show"],
    ["check"],
    ["eval"],
    ["sample"],
    ["answer"],
    ["bench"],
    ["help"],
]

SETTINGS = """
curriculum gain sign slope.window slope.errors excess.floor policy objective seed steps batch
syllabus.eta syllabus.beta syllabus.epsilon syllabus.discount syllabus.temperature syllabus.window
syllabus.bases syllabus.probabilities syllabus.prior syllabus.reservoir
syllabus.low_quantile syllabus.high_quantile syllabus.bad_reward syllabus.log
network.layers network.cells network.initial_range network.forget_bias
optimiser.learning_rate optimiser.momentum optimiser.decay optimiser.epsilon optimiser.centred
optimiser.clip l2.decay vi.prior vi.posterior_width vi.prior_width vi.sequences vi.evaluate
evaluation.interval evaluation.sequences evaluation.all_tasks
repeat_copy.max_length repeat_copy.max_repeats repeat_copy.bits
ngram.corpus ngram.max_order ngram.characters ngram.sequence ngram.context ngram.data_seed
babi.variant babi.consistent babi.folder
files.path files.unit files.sequence files.context files.vocabulary files.held_out
""".split()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_of_every_command(command):
    out = succeed(*command, "--help")
    assert f"Usage: {' '.join(['gradus', *command])}" in out
    assert out == succeed(*command, "-h")
    assert out == succeed("help", *command)


def test_without_a_command_the_program_prints_its_help():
    assert succeed() == succeed("--help") == succeed("help")
    assert refuse("help", "trian") == 'unknown command "trian"; did you mean "train"?'
    assert refuse("help", "data", "bbi") == 'unknown command "bbi"; did you mean "babi"?'
    assert refuse("help", "info", "x") == '"info" has no command "x"'


def test_help_names_the_commands_and_the_exit_codes():
    out = succeed("--help")
    names = "train resume sweep reproduce report serve export replay data list bench info runs show check help"
    for name in names.split():
        assert re.search(rf"^  {name} ", out, re.MULTILINE)
    assert "Exit codes: 0 done; 1 failed while running; 2 wrong" in out
    assert "130 interrupted" in out


def test_help_of_train_lists_options_and_every_setting_with_its_default():
    out = succeed("train", "--help")
    for option in ["--seed", "--threads", "--out", "--quiet"]:
        assert option in out
    for key in SETTINGS:
        assert re.search(rf"^  {re.escape(key)} = \S", out, re.MULTILINE), key
    assert "  syllabus.eta = 'auto'\n" in out
    assert "  syllabus.epsilon = 0.05  (files: 0.4)\n" in out
    assert "  syllabus.reservoir = 10000\n" in out
    assert "  optimiser.learning_rate = 1e-05  (files: 0.001)  (stress: 3e-04)\n" in out


def test_help_of_replay_lists_its_options():
    out = succeed("replay", "--help")
    for option in ["--tasks", "--policy", "--eta", "--beta", "--epsilon", "--reservoir"]:
        assert option in out


def test_version():
    assert re.fullmatch(r"gradus \d+\.\d+\.\d+\n", succeed("--version"))


@pytest.mark.parametrize("command", [["list"], ["data"]], ids=" ".join)
def test_a_missing_command(command):
    message = refuse(*command)
    assert "required" in message
    assert f"see {' '.join(['gradus', *command])} --help" in message


@pytest.mark.parametrize(
    "line, unknown, meant",
    [
        ("trian", "trian", "train"),
        ("trian demo.toml gain=pg", "trian", "train"),
        ("repaly log.csv --tasks 2", "repaly", "replay"),
        ("--versoin", "--versoin", "--version"),
        ("train --thread 2", "--thread", "--threads"),
        ("train --quite", "--quite", "--quiet"),
        ("replay log.csv --taks 3", "--taks", "--tasks"),
        ("replay log.csv --tasks 3 --epsilom 0.1", "--epsilom", "--epsilon"),
        ("list gain", "gain", "gains"),
        ("list policys", "policys", "policies"),
        ("data repeat-cpoy", "repeat-cpoy", "repeat-copy"),
        ("data repeat-copy --cuont 2", "--cuont", "--count"),
    ],
)
def test_an_unknown_argument_names_the_nearest(line, unknown, meant):
    assert refuse(*line.split()) == f'unknown argument "{unknown}"; did you mean "{meant}"?'


@pytest.mark.parametrize(
    "line, unknown, command",
    [
        ("xyzzyxyzzy", "xyzzyxyzzy", "gradus"),
        ("-z", "-z", "gradus"),
        ("train -z", "-z", "gradus train"),
        ("info now", "now", "gradus info"),
        ("list gains foo", "foo", "gradus list gains"),
        ("replay a.csv b.csv --tasks 2", "b.csv", "gradus replay"),
    ],
)
def test_an_argument_like_no_other_points_to_the_help(line, unknown, command):
    assert refuse(*line.split()) == f'unknown argument "{unknown}"; see {command} --help'


@pytest.mark.parametrize(
    "line, named",
    [
        ("train --out", ["--out"]),
        ("train --seed 1 --seed 2", ["--seed"]),
        ("train --threads two", ["--threads", "two"]),
        ("replay", ["log is required", "gradus replay --help"]),
        ("replay log.csv", ["--tasks is required", "gradus replay --help"]),
        ("replay log.csv --tasks", ["--tasks"]),
        ("replay log.csv --tasks x", ["--tasks", "x"]),
        ("replay log.csv --tasks 0", ["--tasks", "0", "1 to "]),
        ("replay log.csv --tasks -3", ["--tasks", "-3", "1 to "]),
        ("replay log.csv --tasks 2 --eta abc", ["--eta", "abc"]),
        ("replay log.csv --tasks 2 --reservoir 1.5", ["--reservoir", "1.5"]),
        ("data repeat-copy --count 0", ["--count", "0", "gradus data repeat-copy --help"]),
        ("data repeat-copy --seed -1", ["--seed", "-1"]),
        ("data ngram --seed -1", ["--seed", "-1", "gradus data ngram --help"]),
    ],
)
def test_a_bad_option_is_named_with_its_value(line, named):
    message = refuse(*line.split())
    for text in named:
        assert text in message


def test_a_complaint_is_one_line_whatever_it_quotes():
    assert refuse("tra\nin") == 'unknown argument "tra\\nin"; did you mean "train"?'


@pytest.mark.parametrize(
    "command", [["--help"], ["--version"], ["list", "gains"], ["info"], ["data", "repeat-copy"]]
)
def test_a_full_disk_is_a_failure(command):
    with open("/dev/full", "w") as full:
        message = fail(*command, stdout=full)
    assert "No space left on device" in message


def without_threads():
    """Lets no thread be started. The limit does not hold for root."""
    if os.geteuid() == 0:
        os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def test_the_version_and_the_help_start_no_threads():
    # A folder that others than root can read. Nothing is executed from a build folder.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        program = shutil.copy(GRADUS, folder)
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # its search is a thread

        def call(*args):
            return subprocess.run(
                [program, *args],
                **{"cwd": folder, "preexec_fn": without_threads, "env": environment},
                **{"capture_output": True, "text": True, "timeout": 120},
            )

        for option in ["--version", "--help"]:
            done = call(option)
            assert (done.returncode, done.stdout, done.stderr) == (0, succeed(option), "")
        needs_threads = call("serve", folder, "--port", "0")
        assert needs_threads.returncode == 1
        assert "Resource temporarily unavailable" in needs_threads.stderr


@pytest.mark.skipif(
    "address" in os.environ.get("GRADUS_SANITIZE", ""),
    reason="the address sanitizer reserves more address space than the test allows",
)
def test_the_version_needs_little_memory():
    room = 100 * 2**20
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room))
    assert run("--version", preexec_fn=limit) == (0, succeed("--version"), "")
