#!/bin/sh
# make bench-papers: runs the jobs of the papers' tables and figures and draws the pages in docs/results.
#   bench/papers.sh [--budget SECONDS] [--only GLOB] [--skip GLOB]   run, then draw the results
#   bench/papers.sh --draw                                           only draw, from bench/results
#   bench/papers.sh --from FILE.jsonl [--from FILE.jsonl]            only draw, from these lines
#   bench/papers.sh --dry-run                                        print the commands
# FRINGE=...: the command (default build/fringe)
# VENV=...: the virtual environment (default .venv); made from bench/requirements.txt if it is missing.
set -eu
here=$(dirname "$0")
venv=${VENV:-$here/../.venv}

case " $* " in *" --dry-run "*)
    args=''
    for word; do [ "$word" = --dry-run ] || args="$args $word"; done
    # shellcheck disable=SC2086 # words without spaces
    exec python3 "$here/papers_run.py" --dry-run $args ;;
esac

if ! "$venv/bin/python" -c 'import matplotlib, numpy' 2>/dev/null; then
    python3 -m venv "$venv" || {
        echo "papers.sh: python3 cannot make a virtual environment (on Debian: apt-get install python3-venv)" >&2
        exit 4
    }
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" || {
        echo "papers.sh: cannot install matplotlib and numpy: is there a network? Without them" >&2
        echo "bench/papers_run.py still runs the jobs; draw later, with --from FILE.jsonl." >&2
        exit 4
    }
fi

case " $* " in
*" --from "*) ;;
*" --draw "*) set -- ;;
*)
    lines=$(mktemp "${TMPDIR:-/tmp}/fringe-papers-XXXXXX.jsonl")
    failed=0
    python3 "$here/papers_run.py" --output "$lines" "$@" || failed=$?
    case " $* " in *" --only "*) ;; *)
        "$venv/bin/python" "$here/papers_workload.py" --output "$lines" || failed=$? ;;
    esac
    [ -s "$lines" ] || { rm -f "$lines"; exit 1; }
    kept=$here/results/$(date +%Y-%m-%d)-papers.jsonl
    cat "$lines" >>"$kept" && rm -f "$lines"
    "$venv/bin/python" "$here/papers_draw.py" --from "$kept"
    exit "$failed"
    ;;
esac
exec "$venv/bin/python" "$here/papers_draw.py" "$@"
