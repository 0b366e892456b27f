#!/usr/bin/env bash
# The check of action.yml, from the variables that it sets. Ends as impinge check does: 0, 1 clashes, 2 an error, 3 (--strict) red findings.
set -uo pipefail

models=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  if [ -n "$line" ]; then models+=("$line"); fi
done <<<"$MODEL"
if [ ${#models[@]} -eq 0 ]; then
  echo "::error::model: name at least one file"
  exit 2
fi

options=(-o "$REPORT" --fail-on "$FAIL_ON" --formats jsonl,csv,html,bcf,junit,sarif --json)
if [ -n "$RULES" ]; then options+=(--rules "$RULES"); fi
if [ -n "$BASELINE" ]; then options+=(--baseline "$BASELINE"); fi
# words as they are: neither patterns nor quotes are looked at
read -r -a more <<<"$ARGUMENTS"

# how the command is called, in words
read -r -a impinge <<<"$IMPINGE"
summary="$("${impinge[@]}" check "${models[@]}" "${options[@]}" ${more[@]+"${more[@]}"})"
code=$?
if [ "$code" -gt 1 ] && [ "$code" -ne 3 ]; then
  echo "::error::impinge check ended with $code; the log says why"
  exit "$code"
fi

read_number() { node -e 'process.stdout.write(String(JSON.parse(process.argv[1])[process.argv[2]] ?? 0))' "$summary" "$1"; }
clashes="$(read_number clashes)"
# what is remarkable about files and rules; such lines may not hold ends of lines
node -e 'for (const { severity, message, suggestion } of JSON.parse(process.argv[1]).findings) {
  const text = [message, suggestion].filter(Boolean).join("; ").replace(/[%\r\n]/g, encodeURIComponent);
  console.log(`::${severity === "red" ? "error" : "warning"}::${text}`);
}' "$summary"
echo "clashes=$clashes" >>"$GITHUB_OUTPUT"
{
  echo "### Clashes: $clashes"
  if [ -n "$BASELINE" ]; then echo; echo "$(read_number new) new, $(read_number resolved) resolved since the baseline."; fi
  echo
  echo "Pairs checked: $(node -e 'process.stdout.write(String(JSON.parse(process.argv[1]).stats.pairs))' "$summary"). The report is among the artifacts."
} >>"$GITHUB_STEP_SUMMARY"
if [ "$code" -eq 1 ]; then echo "::error::$clashes clashes"; fi
exit "$code"
