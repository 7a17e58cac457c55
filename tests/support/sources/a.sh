#!/bin/sh
# fake() {
one() {
  echo "$(echo "it's }" | sed 's/{//')" # }
  cat <<EOF
two() {
EOF
}
function three { echo ${a#*\}} '{'; }
four-x () ( cd /; )
