#!/bin/sh
# Prints engram's status line for Claude Code: one line, exit 0, whatever happens. Put by `engram setup` into the
# data folder as bin/engram-statusline. Shell builtins but for two cases: the size of the transcript (while the
# agent rests), and the first bytes of a store that changed since a hook last used it. The text is the same as that
# of `engram statusline` (engram_hooks/recall/statusline.py; a test compares the two).
LC_ALL=C
exec 2>/dev/null

find_data() {
  if [ -n "$ENGRAM_HOME" ]; then
    data=$ENGRAM_HOME
  else
    case $0 in
      */bin/engram-statusline) data=${0%/bin/engram-statusline} ;;
      *) data=${XDG_DATA_HOME:-$HOME/.local/share}/engram ;;
    esac
  fi
}

# Reads standard input into $json, no further than both fields that are needed.
read_payload() {
  json=
  while IFS= read -r line || [ -n "$line" ]; do
    json=$json$line
    case $json in
      *'"session_id"'*'"'*'"'*'"transcript_path"'*'"'*'"'*) break ;;
      *'"transcript_path"'*'"'*'"'*'"session_id"'*'"'*'"'*) break ;;
    esac
    line=
  done
}

# Sets $value to the string under a key of $json; empty where there is none, or one with escapes beyond \\ and \/.
find_field() {
  value=
  rest=${json#*\"$1\"}
  [ "$rest" != "$json" ] || return
  rest=${rest#"${rest%%[![:space:]]*}"}
  case $rest in :*) rest=${rest#:} ;; *) return ;; esac
  rest=${rest#"${rest%%[![:space:]]*}"}
  case $rest in \"*) rest=${rest#\"} ;; *) return ;; esac
  value=${rest%%\"*}
  case $value in *\\*) decode_value ;; esac
}

decode_value() {
  decoded=
  while :; do
    case $value in *\\*) ;; *) break ;; esac
    decoded=$decoded${value%%\\*}
    value=${value#*\\}
    case $value in
      \\*) decoded=$decoded\\ ;;
      /*) decoded=$decoded/ ;;
      *) value= decoded= && return ;;
    esac
    value=${value#?}
  done
  value=$decoded$value
}

# Sets $state, $notes, $logged, $capture, $cursor, $trouble from what the hooks left for the session.
read_ready() {
  state=
  case $1 in '' | *[!A-Za-z0-9_-]*) return ;; esac
  [ "${#1}" -le 100 ] || return
  ready=$data/ready/$1
  [ -f "$ready" ] || return
  IFS='|' read -r version state notes logged capture cursor trouble <"$ready"
  case $version:$state in 1:idle | 1:running) ;; *) state= ;; esac
  for number in "$notes" "$logged" "$capture" "$cursor"; do
    case $number in '' | *[!0-9]* | ????????????????*) state= ;; esac
  done
  [ -n "$state" ] || trouble=
}

# The flag that a hook or command left goes first, then the store itself, then what the ready line says.
find_trouble() {
  store=$data/engram.db
  if [ -f "$data/trouble" ]; then
    read -r trouble <"$data/trouble"
    [ -n "$trouble" ] || trouble='something failed'
  elif [ ! -e "$store" ]; then
    [ -z "$state" ] || trouble='store missing'
  elif [ ! -r "$store" ]; then
    trouble='store not readable'
  elif [ -z "$state" ] || ! [ "$ready" -nt "$store" ]; then
    [ "$(head -c 15 "$store")" = 'SQLite format 3' ] || trouble='store damaged'
  fi
  case $trouble in *[[:cntrl:]]*) trouble='something failed' ;; esac
}

# Sets $phase: logging, clear-safe, or empty.
find_phase() {
  phase=
  size=
  if [ "$state" = running ]; then
    phase=logging
    return
  elif [ ! -e "$1" ]; then
    [ -z "$1" ] || size=0
  elif [ -r "$1" ]; then
    size=$(($(wc -c <"$1")))
  fi
  [ -n "$size" ] || return
  if [ "$size" -gt "$cursor" ]; then
    phase=logging
  elif [ "$size" -eq "$cursor" ] && [ "$capture" -eq 0 ]; then
    phase=clear-safe
  fi
}

# The client cuts what is longer than the terminal less its margins.
find_limit() {
  limit=75
  case $COLUMNS in '' | *[!0-9]* | ??????*) ;; *) [ "$COLUMNS" -gt 0 ] && limit=$((COLUMNS - 5)) ;; esac
}

find_colors() {
  dim='\033[2m' good='\033[32m' warn='\033[33m' bad='\033[31m' plain='\033[0m'
  if [ -n "$NO_COLOR" ] || [ "$TERM" = dumb ]; then
    dim='' good='' warn='' bad='' plain=''
  fi
}

measure() {
  width=6
  [ -z "$notes" ] || width=$((width + 1 + ${#notes}))
  for part in "$logged" "$capture" "$phase"; do
    [ -z "$part" ] || width=$((width + 3 + ${#part}))
  done
}

print_counts() {
  if [ "$notes" -eq 1 ]; then notes='1 note'; else notes="$notes notes"; fi
  if [ "$logged" -eq 0 ]; then logged=; else logged="+$logged logged"; fi
  if [ "$capture" -eq 0 ]; then capture=; else capture="$capture to capture"; fi
  measure
  for drop in logged notes capture phase; do
    [ "$width" -gt "$limit" ] || break
    eval "$drop="
    measure
  done
  text="${dim}engram$plain${notes:+ $notes}${logged:+ · $logged}${capture:+ · $warn$capture$plain}"
  case $phase in
    clear-safe) text="$text · $good$phase$plain" ;;
    logging) text="$text · $dim$phase$plain" ;;
  esac
  printf "$text\\n"
}

print_trouble() {
  for text in "engram ! $trouble (engram doctor)" "engram ! $trouble" 'engram !'; do
    [ "${#text}" -gt "$limit" ] || break
  done
  printf "$bad%s$plain\\n" "$text"
}

find_data
if [ -f "$data/statusline-wrapped" ]; then
  json=$(cat)
  theirs=$(printf '%s\n' "$json" | sh "$data/statusline-wrapped") && [ -n "$theirs" ] && printf '%s\n' "$theirs"
else
  read_payload
fi
find_limit
find_colors
if [ -e "$data/off" ]; then
  printf "${dim}engram off$plain\\n"
  exit 0
fi
trouble=
find_field session_id
read_ready "$value"
find_trouble
if [ -n "$trouble" ]; then
  print_trouble
elif [ -z "$state" ]; then
  printf "${dim}engram ready$plain\\n"
else
  find_field transcript_path
  find_phase "$value"
  print_counts
fi
exit 0
