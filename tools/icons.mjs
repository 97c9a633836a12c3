// Copies the icons that are used from `lucide-static` into `src/ui/icons/`, each as the data of one path: those of the
// landing screen and its frame into `landing.ts`, so that no others are loaded with them, and the rest into `lucide.ts`.
// Nothing is fetched at run time and the package is not shipped. Run: node tools/icons.mjs
import { readFileSync, writeFileSync } from 'node:fs'

const landing = 'arrow-left x chevron-right external-link mail circle-alert'
const others = `check copy smartphone wallet key-round lock-keyhole file-text triangle-alert info user-round
  users-round trash-2`

const folder = new URL('../node_modules/lucide-static/', import.meta.url)
const target = new URL('../src/ui/icons/', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))

const circle = (x, y, rx, ry = rx) =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`
const shapes = {
  // A leading `m` is absolute only at the start of the data; the pairs after it are relative lines.
  path: ({ d }) =>
    d.replace(
      /^m\s*(-?[\d.]+[\s,]*-?[\d.]+)\s*(?=([-\d.])?)/,
      (_, start, line) => `M${start}${line ? 'l' : ''}`,
    ),
  line: ({ x1, y1, x2, y2 }) => `M${x1} ${y1}L${x2} ${y2}`,
  circle: ({ cx, cy, r }) => circle(+cx, +cy, +r),
  ellipse: ({ cx, cy, rx, ry }) => circle(+cx, +cy, +rx, +ry),
  polyline: ({ points }) => `M${points}`,
  polygon: ({ points }) => `M${points}z`,
  rect({ x = 0, y = 0, width: w, height: h, rx, ry = rx ?? 0 }) {
    const r = +(rx ?? ry)
    const corner = (dx, dy) => (r ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : '')
    return `M${+x + r} ${y}h${w - 2 * r}${corner(r, r)}v${h - 2 * r}${corner(-r, r)}h${2 * r - w}${corner(-r, -r)}v${2 * r - h}${corner(r, -r)}z`
  },
}

write('landing.ts', landing)
write('lucide.ts', others, "export * from './landing.ts'")

function write(file, names, first = '') {
  const origin = `// Made by tools/icons.mjs from lucide-static ${version} (ISC, see NOTICE.md). Drawn on 24 by 24, as strokes.`
  const lines = names.split(/\s+/).sort().map(iconOf)
  writeFileSync(new URL(file, target), [origin, ...(first ? [first, ''] : []), ...lines, ''].join('\n'))
  console.log(`${file}: ${lines.length} icons`)
}

function iconOf(name) {
  const svg = readFileSync(new URL(`icons/${name}.svg`, folder), 'utf8')
  const body = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1)
  const data = [...body.matchAll(/<(\w+)((?:\s+[\w-]+="[^"]*")*)\s*\/>/g)].map(([, shape, attributes]) =>
    shapes[shape](
      Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map((m) => [m[1], m[2]])),
    ),
  )
  const exported = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return `export const ${exported} =\n  '${data.join('')}'`
}
