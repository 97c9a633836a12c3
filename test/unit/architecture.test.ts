/** Holds the shape of the house: which layer may import which, and where the wire, React and long files may not be. */
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/errors/codes.ts'
import { type Import, readSources, type Source } from './architecture.sources.ts'

interface Layer {
  readonly files: RegExp
  /** The layers directly below; whatever they may import, this one may as well … */
  readonly over: readonly string[]
  /** … unless it sees only their surface. */
  readonly surfaceOnly?: true
}

/** From the ground up. A layer may import itself and what is below it, never what is above or beside it. */
const layers: Record<string, Layer> = {
  core: { files: /^src\/core\//, over: [] },
  copy: { files: /^src\/copy\//, over: [] },
  styles: { files: /^styles\//, over: [] },
  errors: { files: /^src\/errors\//, over: ['core', 'copy'] },
  wire: { files: /^src\/wire\//, over: ['errors'] },
  config: { files: /^src\/(config|identity)\.ts$/, over: ['wire'] },
  session: { files: /^src\/session\//, over: ['config'] },
  services: {
    files: /^src\/(auth|wallets|chains|mfa|funding)\/|^src\/(services|headless)\.ts$/,
    over: ['session'],
  },
  ui: { files: /^src\/ui\//, over: ['core', 'copy', 'styles'] },
  screens: { files: /^src\/screens\//, over: ['ui'] },
  flows: { files: /^src\/flows\//, over: ['services', 'screens'] },
  kit: { files: /^src\/(kit|kit-[a-z]+|runs|analytics)\.ts$/, over: ['flows'] },
  elements: { files: /^elements\//, over: ['kit'] },
  roof: { files: /^src\/index\.ts$/, over: ['elements'] },

  vault: { files: /^src\/vault\//, over: ['core'] },

  backend: { files: /^demo\/backend\//, over: ['core'] },
  world: { files: /^demo\/world\//, over: [] },
  site: { files: /^demo\/site\//, over: ['roof'], surfaceOnly: true },
  gallery: { files: /^demo\/gallery\//, over: ['elements'] },
  demo: { files: /^demo\/[^/]+\.tsx?$/, over: ['backend', 'world', 'site', 'gallery'], surfaceOnly: true },
}

/** Single arrows beside the layers, each with its reason. */
const alsoAllowed: readonly { from: RegExp; to: RegExp; kinds?: readonly Import['kind'][]; why: string }[] = [
  {
    from: /^src\/vault\//,
    to: /^src\/wire\/frame\//,
    why: 'both sides of the frame speak the same messages',
  },
  { from: /^src\/screens\//, to: /^src\//, kinds: ['type'], why: 'the type of what a screen shows' },
]

/** Where React, react-dom, Emotion and r2wc may be used as values. */
const reactPlaces = /^(src\/(ui|screens)|styles|demo\/gallery)\/|^elements\/view(\.tsx$|\/)/
const isReact = (name: string) => /^(react|react-dom|@emotion\/\w+|@r2wc\/[\w-]+)(\/|$)/.test(name)

/** What a page loads before anybody opens a dialog: the elements, and the kit where a session is to be restored. */
const isEarly = ({ file, text }: Source) =>
  /^elements\/[\w-]+\.ts$/.test(file) && (/@tag /.test(text) || /\/(index|create-kit)\.ts$/.test(file))

const sources = readSources(['src', 'elements', 'styles', 'demo'])
const byFile = new Map(sources.map((source) => [source.file, source]))
const product = sources.filter(({ file }) => !file.startsWith('demo/'))
const kitSide = product.filter(({ file }) => !file.startsWith('src/vault/'))

const layerOf = (file: string) => Object.keys(layers).find((name) => layers[name]?.files.test(file))

/** The layer itself and all below it. */
function reach(name: string): Set<string> {
  const { over, surfaceOnly } = layers[name] ?? { over: [] }
  return new Set([name, ...over.flatMap((below) => (surfaceOnly ? [below] : [...reach(below)]))])
}

function wrongArrows({ file, imports }: Source): string[] {
  const layer = layerOf(file)
  if (!layer) return [`${file} belongs to no layer: add it to the table at the top of architecture.test.ts`]
  const allowed = reach(layer)
  return imports.flatMap(({ to, own, kind }) => {
    if (!own) return []
    if (!byFile.has(to))
      return /\.(json|svg|css|sql)$/.test(to) ? [] : [`${file} → ${to}: there is no such source`]
    const target = layerOf(to)
    if (!target || allowed.has(target)) return []
    if (
      alsoAllowed.some(
        (arrow) => arrow.from.test(file) && arrow.to.test(to) && (arrow.kinds?.includes(kind) ?? true),
      )
    )
      return []
    return [`${file} → ${to} (${kind}): ${layer} may not import ${target}, only ${[...allowed].join(', ')}`]
  })
}

/** Rings of files that import each other as values; each is reported once. */
function cycles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]) => {
    const start = way.indexOf(file)
    if (start >= 0) found.push([...way.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { to, kind } of byFile.get(file)?.imports ?? [])
      if (kind === 'value') follow(to, [...way, file])
    done.add(file)
  }
  for (const { file } of sources) follow(file, [])
  return found
}

/** The way from a file to the first thing it may not load together with itself. */
function wayTo(
  file: string,
  forbidden: (to: Import) => boolean,
  seen = new Set<string>(),
): string[] | undefined {
  if (seen.has(file)) return undefined
  seen.add(file)
  for (const one of byFile.get(file)?.imports ?? []) {
    if (one.kind !== 'value') continue
    if (forbidden(one)) return [file, one.to]
    const way = one.own ? wayTo(one.to, forbidden, seen) : undefined
    if (way) return [file, ...way]
  }
  return undefined
}

describe('layers', () => {
  it('import only what is below them', () => {
    expect(sources.flatMap(wrongArrows)).toEqual([])
  })
  it('have no rings of files that need each other', () => {
    expect(cycles()).toEqual([])
  })
  it('keep the vault to itself', () => {
    const wrong = kitSide.flatMap(({ file, imports }) =>
      imports.filter(({ to }) => to.startsWith('src/vault/')).map(({ to }) => `${file} → ${to}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('React', () => {
  it('is used by views only', () => {
    const wrong = product
      .filter(({ file }) => !reactPlaces.test(file))
      .flatMap(({ file, imports }) =>
        imports.filter(({ to, kind }) => kind !== 'type' && isReact(to)).map(({ to }) => `${file} → ${to}`),
      )
    expect(wrong).toEqual([])
  })
  it('is not in flows, not even as markup', () => {
    const wrong = sources.filter(
      ({ file, hasJsx }) => file.startsWith('src/flows/') && (hasJsx || /tsx$/.test(file)),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
  it('is not loaded, nor are screens and flows, before somebody opens a dialog', () => {
    const heavy = ({ to }: Import) => isReact(to) || /^src\/(flows|screens)\//.test(to)
    const ways = product.filter(isEarly).flatMap(({ file }) => wayTo(file, heavy) ?? [])
    expect(ways.join(' → ')).toBe('')
  })
})

describe('the wire', () => {
  const isWire = ({ file }: Source) => file.startsWith('src/wire/')
  const isEdgeOfVault = ({ file }: Source) => file.startsWith('src/vault/api/')
  const insideProduct = product.filter((source) => !isWire(source) && !isEdgeOfVault(source))

  it('is the only place that knows the names and paths of the server', () => {
    const wrong = insideProduct.flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (/privy|\/api\/v\d/i.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
    )
    expect(wrong).toEqual([])
  })
  it('is the only place with snake_case keys', () => {
    const codes = new Set<string>(errorCodes)
    const wrong = insideProduct.flatMap(({ file, keys }) =>
      [...keys]
        .filter((key) => /^[a-z][a-z\d]*(_[a-z\d]+)+$/.test(key) && !codes.has(key))
        .map((key) => `${file}: ${key}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('files', () => {
  it('stay within three hundred lines', () => {
    const long = sources.filter(({ lines }) => lines > 300)
    expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
  })
  it('have no `any` and silence no type error', () => {
    const silenced = product
      .filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text))
      .map(({ file }) => file)
    const anys = product.flatMap(({ file, anys }) => anys.map((line) => `${file}:${line}`))
    expect([...anys, ...silenced]).toEqual([])
  })
  it('take their waits from core/limits.ts', () => {
    const wrong = product.flatMap(({ file, waits }) => waits.map((line) => `${file}:${line}`))
    expect(wrong).toEqual([])
  })
})
