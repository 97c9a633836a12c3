/** Of a module's side, how much each corner is rounded. */
const ROUND = 0.35
/** Right, down, left, up. */
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * The outlines of all dark cells of a square grid as the data of one SVG path (fill rule `evenodd` or `nonzero`): cells
 * that share a side become one shape, so that no seam shows between them at any size.
 */
export function outline(dark: ArrayLike<number>, size: number): string {
  const is = (x: number, y: number) => x >= 0 && y >= 0 && x < size && y < size && dark[y * size + x] === 1
  /** Of each point of the grid, the sides that begin there, as bits; a shape lies to the right of its sides. */
  const points = size + 1
  const sides = new Uint8Array(points * points)
  const mark = (x: number, y: number, direction: number) => {
    const at = y * points + x
    sides[at] = (sides[at] ?? 0) | (1 << direction)
  }
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      if (!is(x, y)) continue
      if (!is(x, y - 1)) mark(x, y, 0)
      if (!is(x + 1, y)) mark(x + 1, y, 1)
      if (!is(x, y + 1)) mark(x + 1, y + 1, 2)
      if (!is(x - 1, y)) mark(x, y + 1, 3)
    }

  let path = ''
  for (let start = 0; start < sides.length; start++) while (sides[start]) path += loop(sides, points, start)
  return path
}

/** Takes one closed line out of the sides, from a point on. */
function loop(sides: Uint8Array, points: number, start: number): string {
  const corners: { x: number; y: number; into: number; out: number }[] = []
  let at = start
  let direction = lowest(sides[at] ?? 0)
  const first = direction
  do {
    sides[at] = (sides[at] ?? 0) & ~(1 << direction)
    const [dx, dy] = steps[direction] ?? steps[0]
    at += dx + dy * points
    const open = sides[at] ?? 0
    // Where two cells touch at a corner only, the line stays with its own cell: it turns right.
    const right = (direction + 1) % 4
    const next = at === start && open === 0 ? first : open & (1 << right) ? right : lowest(open)
    if (next !== direction)
      corners.push({ x: at % points, y: Math.floor(at / points), into: direction, out: next })
    direction = next
  } while (at !== start || sides[at])
  return draw(corners)
}

function draw(corners: readonly { x: number; y: number; into: number; out: number }[]): string {
  const last = corners.at(-1)
  if (!last) return ''
  const [outX, outY] = steps[last.out] ?? steps[0]
  let path = `M${short(last.x + outX * ROUND)} ${short(last.y + outY * ROUND)}`
  let from = last
  for (const corner of corners) {
    const length = Math.abs(corner.x - from.x) + Math.abs(corner.y - from.y) - 2 * ROUND
    const [dx, dy] = steps[corner.into] ?? steps[0]
    const [ex, ey] = steps[corner.out] ?? steps[0]
    path += dx ? `h${short(dx * length)}` : `v${short(dy * length)}`
    path += `q${short(dx * ROUND)} ${short(dy * ROUND)} ${short((dx + ex) * ROUND)} ${short((dy + ey) * ROUND)}`
    from = corner
  }
  return `${path}z`
}

const lowest = (bits: number) => 31 - Math.clz32(bits & -bits)
const short = (value: number) => String(Math.round(value * 100) / 100).replace(/^(-?)0\./, '$1.')
