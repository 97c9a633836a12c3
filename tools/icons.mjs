// Copies the icons that are used from `lucide-static` into `src/ui/icons/`, each as the data of one path:
// those of the frame of every screen into `frame.ts`, the others of the landing screen into `landing.ts`, those of
// buttons and notices into `notices.ts`, so that no others are loaded with them, those of sending into `sending.ts`, those of funding into `funding.ts`, and the rest into `lucide.ts`. The icons of login providers go from `simple-icons` into `providers.ts`, with
// their colours, those of drives into `drives.ts`, and those of wallets, networks and tokens from `@web3icons/core`
// into `wallets.ts` and `assets.ts`. Nothing is fetched at run time and the packages are not shipped. Run: node tools/icons.mjs
import { readFileSync, writeFileSync } from 'node:fs'

const frame = 'arrow-left x external-link circle-alert'
const landing = 'chevron-down chevron-right mail smartphone ellipsis wallet'
const notices = 'check copy info triangle-alert'
const others = `key-round lock-keyhole file-text user-round users-round trash-2 search shield-check eye eye-off download rotate-cw
  clock fingerprint plus pencil log-out monitor-smartphone`
const sending = 'send history coins layers arrow-down-left arrow-up-right'
const funding = 'credit-card qr-code landmark'

const folder = new URL('../node_modules/lucide-static/', import.meta.url)
const target = new URL('../src/ui/icons/', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))

const circle = (x, y, rx, ry = rx) =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`
const shapes = {
  // A leading `m` is absolute only at the start of the data; the pairs after it are relative lines.
  path: ({ d }) =>
    d.replace(
      /^m\s*(-?(?:\d+\.?\d*|\.\d+)[\s,]*-?(?:\d+\.?\d*|\.\d+))\s*(?=([-\d.])?)/,
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

write('frame.ts', frame)
write('landing.ts', landing)
write('notices.ts', notices)
write('lucide.ts', others)
write('sending.ts', sending)
write('funding.ts', funding)
writeProviders('apple discord farcaster github instagram spotify telegram tiktok twitter')
writeDrives({ 'google-drive': 'googledrive', icloud: 'icloud' })
await writeMarks('wallets.ts', 'wallets', "Content of the `<svg>` of a wallet's mark on 24 by 24.", {
  'wallets/background': `metamask phantom coinbase rainbow zerion rabby okx safe wallet-connect ledger trust solflare backpack
    ronin glow`,
  'exchanges/background': 'uniswap bybit crypto-com',
})
await writeAssets({
  'networks/background': 'ethereum optimism arbitrum-one polygon avalanche celo solana',
  // On a ground it is a white square, which says nothing in a corner.
  'networks/branded': 'base',
  'tokens/background': 'USDC',
})

/**
 * The size at which a mark is drawn, in parts of its own 24: a full square looks larger than a disc of the same width, and a disc larger than
 * a shape with gaps. With these their outlines enclose about the same area (300 of 576), and none is wider than 22.
 */
function scales() {
  return {
    ...{ apple: 0.89, discord: 0.9, farcaster: 0.73, github: 0.83, google: 0.95, instagram: 0.73 },
    ...{ linkedin: 0.92, spotify: 0.82, telegram: 0.82, tiktok: 0.9, twitter: 0.79 },
    ...{ 'google-drive': 0.9, icloud: 0.92 },
  }
}

/** The part of the drawing that fills its box, as the `viewBox` of an `<svg>`. */
function viewBox(name) {
  const side = +(24 / scales()[name]).toFixed(2)
  const start = +(12 - side / 2).toFixed(2)
  return `${start} ${start} ${side} ${side}`
}

function write(file, names) {
  const origin = `// Made by tools/icons.mjs from lucide-static ${version} (ISC, see NOTICE.md). Drawn on 24 by 24, as strokes.`
  const lines = names.split(/\s+/).sort().map(iconOf)
  writeFileSync(new URL(file, target), [origin, ...lines, ''].join('\n'))
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
  return `export const ${camelCase(name)} =\n  '${data.join('')}'`
}

function camelCase(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
}

/**
 * An icon has its brand's colour if that has a contrast of 3 : 1 to the panel, else the colour of the text.
 */
function writeProviders(names) {
  const ours = { twitter: 'x' }
  const { version, markOf } = simpleIcons()
  const entries = names.split(' ').map((name) => [name, [markOf(ours[name] ?? name)]])
  const all = Object.fromEntries([...entries, ['google', google()], ['linkedin', linkedIn()]].sort())
  const lines = Object.entries(all).map(([name, shapes]) => `  ${name}: ${markText(name, shapes)},\n`)
  writeFileSync(
    new URL('providers.ts', target),
    `// Made by tools/icons.mjs from simple-icons ${version} (CC0, see NOTICE.md); Google and LinkedIn are drawings of our own.
/** One filled shape on 24 by 24, and its colour on a light and on a dark panel; without one it is the text's. */
export type Shape = readonly [path: string, light?: string, dark?: string]
/** Shapes, and the view box with which the mark looks as large as the others. */
export interface Mark {
  readonly box: string
  readonly shapes: readonly Shape[]
}
export const providers: Readonly<Record<string, Mark>> = {
${lines.join('')}}
`,
  )
  console.log(`providers.ts: ${lines.length} icons`)
}

/** Where a backup can be kept; away from the providers, which the landing screen loads. */
function writeDrives(slugs) {
  const { version, markOf } = simpleIcons()
  const lines = Object.entries(slugs).map(([name, slug]) => {
    const [path, ...colours] = markOf(slug)
    const shapes = slug === 'googledrive' ? googleDrive(path) : [[path, ...colours]]
    return `  '${name}': ${markText(name, shapes)},\n`
  })
  writeFileSync(
    new URL('drives.ts', target),
    `// Made by tools/icons.mjs from simple-icons ${version} (CC0, see NOTICE.md).
import type { Mark } from './providers.ts'

/** The marks of drives on which a backup can be kept. */
export const drives: Readonly<Record<'google-drive' | 'icloud', Mark>> = {
${lines.join('')}}
`,
  )
  console.log(`drives.ts: ${lines.length} icons`)
}

function simpleIcons() {
  const marks = new URL('../node_modules/simple-icons/', import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('package.json', marks), 'utf8'))
  const data = JSON.parse(readFileSync(new URL('data/simple-icons.json', marks), 'utf8'))
  const slugOf = ({ slug, title }) => slug ?? title.toLowerCase().replace(/[^a-z\d]/g, '')
  return {
    version,
    markOf(slug) {
      const [, path] = / d="([^"]+)"/.exec(readFileSync(new URL(`icons/${slug}.svg`, marks), 'utf8'))
      const { hex } = data.find((each) => slugOf(each) === slug)
      return [path, ...coloursOf(`#${hex}`)]
    },
  }
}

/** Most are on a ground of their own. What `<img>` clips away anyway is left out. */
async function writeMarks(file, exported, about, folders) {
  const lines = (await web3icons(folders)).map(([name, svg]) => `  ${name}:\n    '${svg}',\n`)
  writeFileSync(
    new URL(file, target),
    `${web3iconsOrigin()}
/** ${about} */
export const ${exported}: Readonly<Record<string, string>> = {
${lines.join('')}}
`,
  )
  console.log(`${file}: ${lines.length} icons`)
}

/** As data, since the policy of the vault's pages allows neither pictures nor markup. */
async function writeAssets(folders) {
  const lines = (await web3icons(folders)).map(
    ([name, svg]) => `  ${name}: [\n${assetShapesOf(svg).join('')}  ],\n`,
  )
  writeFileSync(
    new URL('assets.ts', target),
    `${web3iconsOrigin()}
/** A gradient from one place to another on 24 by 24, with colours at parts of that way. */
export interface Gradient {
  readonly from: readonly [x: number, y: number]
  readonly to: readonly [x: number, y: number]
  readonly stops: readonly (readonly [offset: number, color: string])[]
}
/** A filled shape on 24 by 24. */
export interface AssetShape {
  readonly path: string
  readonly fill: string | Gradient
  readonly isEvenOdd?: boolean
}
/** The marks of networks and tokens. */
export const assets: Readonly<Record<string, readonly AssetShape[]>> = {
${lines.join('')}}
`,
  )
  console.log(`assets.ts: ${lines.length} icons`)
}

function assetShapesOf(svg) {
  const [drawn, defined = ''] = svg.split('<defs>')
  const number = (attributes, name) => +(attributes.match(`\\b${name}="([^"]*)"`)?.[1] ?? 0)
  const gradients = new Map(
    [...defined.matchAll(/<linearGradient id="([^"]+)"([^>]*)>(.*?)<\/linearGradient>/g)].map(
      ([, id, place, stops]) => {
        const at = (end) => `[${number(place, `x${end}`)}, ${number(place, `y${end}`)}]`
        const colors = [...stops.matchAll(/<stop([^>]*)stop-color="([^"]+)"\/>/g)].map(
          ([, offset, color]) => `[${number(offset, 'offset')}, '${color}']`,
        )
        return [id, `{ from: ${at(1)}, to: ${at(2)}, stops: [${colors.join(', ')}] }`]
      },
    ),
  )
  const shapes = [
    ...drawn.matchAll(/<path fill="([^"]+)"( fill-rule="evenodd")? d="([^"]+)"(?: clip-rule="evenodd")?\/>/g),
  ]
  if (shapes.map(([shape]) => shape).join('') !== drawn) throw new Error(`Unexpected: ${drawn}`)
  return shapes.map(([, fill, evenOdd, path]) => {
    const gradient = gradients.get(/^url\(#(.+)\)$/.exec(fill)?.[1])
    return `    { path: '${path}', fill: ${gradient ?? `'${fill}'`}${evenOdd ? ', isEvenOdd: true' : ''} },\n`
  })
}

/** The content of drawings of `@web3icons/core` by folder, in the order of their names. */
async function web3icons(folders) {
  const all = {}
  for (const [folder, names] of Object.entries(folders))
    for (const name of names.split(/\s+/)) {
      const source = `../node_modules/@web3icons/core/dist/svgs/${folder}/${name}.svg.js`
      all[camelCase(name)] = shapesOf((await import(new URL(source, import.meta.url))).default)
    }
  return Object.entries(all).sort()
}

function web3iconsOrigin() {
  const { version } = JSON.parse(
    readFileSync(new URL('../node_modules/@web3icons/core/package.json', import.meta.url), 'utf8'),
  )
  return `// Made by tools/icons.mjs from @web3icons/core ${version} (MIT, see NOTICE.md).`
}

/** What a drawing holds, without its frame, and without a clip that cuts nothing. */
function shapesOf(svg) {
  let inside = svg
    .slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'))
    .replace(/\s*\n\s*/g, '')
    .replaceAll('web3icons', '')
  for (const [clip, id] of inside.matchAll(
    /<clipPath id="([^"]+)"><path fill="#fff" d="M0 0h24v24H0z"\/><\/clipPath>/g,
  )) {
    const wrapped = new RegExp(`<g clip-path="url\\(#${id}\\)">(.*)</g>`)
    inside = inside.replace(clip, '').replace(wrapped, '$1')
  }
  inside = inside.replace('<defs></defs>', '')
  if (/['\\]|<script|<style|<image|<foreign|href|\son\w+=/i.test(inside))
    throw new Error(`Unexpected: ${inside}`)
  return inside
}

/** Its three beams, each in its colour: the right one, the left one and the one below. */
function googleDrive(path) {
  const colours = ['#FFBA00', '#00AC47', '#2684FC']
  let start = [0, 0]
  return path.match(/m[^m]*/gi).map((beam, i) => {
    const [, x, y, rest] = /^m\s*(-?[\d.]+)[\s,]*(-?[\d.]+)(.*)$/is.exec(beam)
    start = beam.startsWith('M') ? [+x, +y] : [start[0] + +x, start[1] + +y]
    // The pairs after it are lines, relative ones.
    const line = /^[-.\d\s,]/.test(rest) ? 'l' : ''
    return [`M${start.map((at) => +at.toFixed(3)).join(' ')}${line}${rest}`, colours[i], colours[i]]
  })
}

function markText(name, shapes) {
  const lines = shapes.map((each) => `      ${list(each)},\n`)
  return `{\n    box: '${viewBox(name)}',\n    shapes: [\n${lines.join('')}    ],\n  }`
}

function list(values) {
  return `[${values.map((value) => (value ? `'${value}'` : "''")).join(', ')}]`
}

function coloursOf(hex) {
  const [light, dark] = ['#FFFFFF', '#16171B'].map((panel) => (contrast(hex, panel) >= 3 ? hex : ''))
  return light || dark ? [light, dark] : []
}

function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((one, other) => other - one)
  return (x + 0.05) / (y + 0.05)
}

function luminance(hex) {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A ring in four colours that opens to the right, with a bar to its middle. */
function google() {
  const [outer, inner] = [10.5, 6.5]
  const point = (radius, degrees) =>
    [Math.cos, Math.sin].map((of) => +(12 + radius * of((degrees * Math.PI) / 180)).toFixed(2)).join(' ')
  const arc = (from, to) =>
    `M${point(outer, from)}A${outer} ${outer} 0 0 1 ${point(outer, to)}L${point(inner, to)}A${inner} ${inner} 0 0 0 ${point(inner, from)}z`
  const half = (outer - inner) / 2
  const side = (Math.asin(half / outer) * 180) / Math.PI
  const [right] = point(outer, side).split(' ')
  return [
    [`M12 ${12 - half}H${right}V${12 + half}H12z${arc(-side, 47)}`, '#4285F4', '#4285F4'],
    [arc(47, 152), '#34A853', '#34A853'],
    [arc(152, 208), '#FBBC05', '#FBBC05'],
    [arc(208, 315), '#EA4335', '#EA4335'],
  ]
}

/** «in», cut out of a rounded square. */
function linkedIn() {
  const square =
    'M5 2.5h14a2.5 2.5 0 0 1 2.5 2.5v14a2.5 2.5 0 0 1-2.5 2.5H5A2.5 2.5 0 0 1 2.5 19V5A2.5 2.5 0 0 1 5 2.5z'
  const i = 'M6 10v8h2.6v-8zM7.3 5.7a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z'
  const n =
    'M10.6 10v8h2.6v-4.2c0-1.1.6-1.8 1.5-1.8s1.4.6 1.4 1.8V18h2.6v-4.7c0-2.3-1.2-3.5-3-3.5c-1.1 0-2 .5-2.5 1.3V10z'
  return [[square + i + n, '#0A66C2', '#0A66C2']]
}
