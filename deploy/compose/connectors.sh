#!/bin/sh
# Creates a connector in Kafka Connect from each of the files given; what is there already stays as it is.
#   CONNECT        where Connect answers
#   POSTGRES_HOST  where PostgreSQL is, which the files have at 127.0.0.1
#   POSTGRES_PORT  the same for its port, 5432 in the files
set -eu

is_there() {
  curl -fs -o /dev/null "$CONNECT/connectors/$1"
}

# Prints what Connect answers, and the status after it.
create() {
  sed -e "s/127\.0\.0\.1/$POSTGRES_HOST/" -e "s/5432/$POSTGRES_PORT/" "$1" |
    curl -sS -w ' %{http_code}' -H 'Content-Type: application/json' --data-binary @- "$CONNECT/connectors"
}

for file in "$@"; do
  name=$(sed -n 's/^  "name": "\(.*\)",$/\1/p' "$file")
  until is_there "$name"; do
    answer=$(create "$file")
    case $answer in
      *' 201') break ;;
      # not only for one that is there: also while the workers agree on who runs what
      *' 409') sleep 1 ;;
      *)
        echo "$name is refused: $answer" >&2
        exit 1
        ;;
    esac
  done
  echo "$name is there"
done
