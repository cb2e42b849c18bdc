#!/usr/bin/env bash
# Makes the documentation as HTML: every page of the repository, with its links and images.
#
#   scripts/build-docs.sh [--output FOLDER] [--reference FOLDER] [--repository URL]
#
# FOLDER is build/site by default. --reference: output of scripts/reference.sh, which is copied to reference/.
# --repository: base of links to sources; by default the origin of this clone. `scripts/setup.sh --all` installs pandoc.
set -euo pipefail
cd "$(dirname "$0")/.."

output=build/site reference='' repository=$(git config remote.origin.url || true)
while [ $# -gt 0 ]; do
    case $1 in
        --output) output=$2; shift 2 ;;
        --reference) reference=$2; shift 2 ;;
        --repository) repository=$2; shift 2 ;;
        *) echo "build-docs: unknown option $1" >&2; exit 2 ;;
    esac
done
case $repository in https://*) repository=${repository%.git}/blob/main ;; *) repository='' ;; esac

rm -rf "$output"
mkdir -p "$output/docs"
cp -r docs/images "$output/docs/"
[ -z "$reference" ] || cp -r "$reference" "$output/reference"
cat >"$output/page.css" <<'CSS'
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff; }
pre, code { font: 0.9rem/1.4 monospace; background: #f3f3f3; }
pre { padding: 0.7rem; overflow-x: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #ccc; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
CSS
# Links to pages lead to pages. Links to other files lead to the repository.
cat >"$output/links.lua" <<'LUA'
local folder, repository = os.getenv('PAGE_FOLDER'), os.getenv('REPOSITORY')
function Link(link)
  local target, anchor = link.target:match('^([^#]*)(.*)$')
  if target == '' or target:match('^%a+:') then return link end
  if target:match('%.md$') then
    link.target = target:gsub('README%.md$', 'index.md'):gsub('%.md$', '.html') .. anchor
  elseif repository ~= '' then
    link.target = repository .. '/' .. folder .. '/' .. target
  else
    return link.content
  end
  return link
end
LUA
git ls-files -co --exclude-standard '*.md' | grep -vE '^(tests|\.github)/' | while read -r page; do
    folder=$(dirname "$page")
    name=$(basename "$page" .md)
    [ "$name" != README ] || name=index
    mkdir -p "$output/$folder"
    up=$(realpath --relative-to="$output/$folder" "$output")
    PAGE_FOLDER=$folder REPOSITORY=$repository pandoc --from gfm --to html5 --standalone --css "$up/page.css" \
        --metadata pagetitle="$(sed -n 's/^# //p;T;q' "$page") (reanima)" --lua-filter "$output/links.lua" \
        --output "$output/$folder/$name.html" "$page"
done
rm "$output/links.lua"
echo "wrote $output/index.html"
