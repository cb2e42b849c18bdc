// Links: `#CHARACTER/CLIP&t=SECONDS&with=CHARACTER/CLIP`. Of several characters with one name, `~2` is the second.

function addressName(items, item) {
  const { name } = items[item];
  const same = items.flatMap((each, i) => each.name === name ? [i] : []);
  return same.length === 1 ? name : `${name}~${same.indexOf(item) + 1}`;
}

function itemNamed(items, text) {
  const plain = items.findIndex(({ name }) => name === text);
  if (plain >= 0) return plain;
  return items.findIndex((_, i) => addressName(items, i) === text);
}

/// @param places lists of { item, clip }: one or two
/// @param time the paused time in seconds; undefined while playing
function addressOf(items, places, time) {
  const [first, second] = places.map(({ item, clip }) => `${encodeURIComponent(addressName(items, item))}/${encodeURIComponent(clip)}`);
  return `#${first}${time === undefined ? '' : `&t=${Number(time.toFixed(4))}`}${second === undefined ? '' : `&with=${second}`}`;
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/// Reads a link: { places, time }. No places if the page has nothing by these names.
function addressParts(items, hash) {
  const [first, ...others] = hash.replace(/^#/, '').split('&');
  const values = new Map(others.map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]));
  const places = [first, values.get('with')].filter((each) => each).map((each) => {
    const [name, clip] = each.split('/').map(decoded);
    return { item: itemNamed(items, name), clip };
  });
  const time = values.has('t') && Number.isFinite(Number(values.get('t'))) ? Number(values.get('t')) : undefined;
  return { places: places[0] && places[0].item >= 0 ? places.filter(({ item }) => item >= 0) : [], time };
}
