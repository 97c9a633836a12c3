/**
 * Holds the shape of docs/architecture.md: which room may import which, what is loaded lazily from where, and where the
 * protocol's words and React may not be.
 */
import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/errors/codes.ts'
import { type Import, readSources, type Source } from './sources.ts'

interface Layer {
  readonly files: RegExp
  /** The layers directly below; whatever they may import, this one may as well … */
  readonly over: readonly string[]
  /** … unless it sees only their surface. */
  readonly surfaceOnly?: true
}

/** From the ground up. A room may import itself and what is below it, never what is above or beside it. */
const layers: Record<string, Layer> = {
  lib: { files: /^src\/lib\//, over: [] },
  copy: { files: /^src\/copy\//, over: [] },
  styles: { files: /^styles\//, over: [] },
  ethereum: { files: /^src\/ethereum\//, over: ['lib'] },
  solana: { files: /^src\/solana\//, over: ['lib'] },
  'clear-signing': { files: /^src\/clear-signing\//, over: ['ethereum', 'solana'] },
  errors: { files: /^src\/errors\//, over: ['lib', 'copy'] },
  protocol: { files: /^src\/protocol\//, over: ['errors'] },
  ui: { files: /^src\/ui\//, over: ['errors', 'styles'] },
  dialog: { files: /^src\/dialog\//, over: ['ui'] },
  session: { files: /^src\/session\//, over: ['protocol'] },
  app: { files: /^src\/app\//, over: ['session', 'dialog', 'ethereum', 'solana'] },
  wallets: { files: /^src\/wallets\//, over: ['app'] },
  login: { files: /^src\/login\//, over: ['wallets'] },
  account: { files: /^src\/account\//, over: ['login'] },
  activity: { files: /^src\/activity\//, over: ['wallets'] },
  prices: { files: /^src\/prices\//, over: ['protocol'] },
  balances: { files: /^src\/balances\//, over: ['wallets', 'prices'] },
  signing: { files: /^src\/signing\//, over: ['activity', 'clear-signing', 'prices'] },
  funding: { files: /^src\/funding\//, over: ['signing', 'balances'] },
  x402: { files: /^src\/x402\//, over: ['signing'] },
  mfa: { files: /^src\/mfa\//, over: ['app'] },
  kit: { files: /^src\/kit\//, over: ['account', 'funding', 'x402', 'mfa'] },
  elements: { files: /^elements\//, over: ['kit'] },
  index: { files: /^src\/index\.ts$/, over: ['elements'] },

  vault: { files: /^src\/vault\//, over: ['clear-signing'] },

  backend: { files: /^demo\/backend\//, over: ['clear-signing'] },
  world: { files: /^demo\/world\//, over: [] },
  site: { files: /^demo\/site\//, over: ['index'], surfaceOnly: true },
  gallery: { files: /^demo\/gallery\//, over: ['elements'] },
  demo: { files: /^demo\/[^/]+\.tsx?$/, over: ['backend', 'world', 'site', 'gallery'], surfaceOnly: true },
}

/** Single arrows beside the layers, each with its reason. */
const alsoAllowed: readonly { from: RegExp; to: readonly RegExp[]; why: string }[] = [
  {
    from: /^src\/vault\//,
    to: [/^src\/protocol\/frame\//],
    why: 'both sides of the frame speak the same messages',
  },
  {
    from: /^src\/vault\/server\//,
    to: [/^src\/protocol\/status-header\.ts$/],
    why: 'kit and vault ask the same server for the status of refusals in the same way',
  },
  {
    from: /^src\/vault\/approval\//,
    to: [
      /^(styles|src\/(ui|copy|dialog|errors))\//,
      /^src\/signing\/.*\.tsx$/,
      /^src\/signing\/([\w-]+\/)?(shown|preview|allowances|learn|explain)\.ts$/,
      /^src\/wallets\/recovery\/.*\.tsx$/,
      /^src\/wallets\/recovery\/password\/flow\.ts$/,
      /^src\/wallets\/embedded\/connecting\.tsx$/,
      /^src\/login\/code\/(enter-code\.tsx|errors\.ts|sms-errors\.ts)$/,
      /^src\/login\/limits\.ts$/,
      /^src\/login\/farcaster\/farcaster\.tsx$/,
      /^src\/app\/failure\/failure\.tsx$/,
    ],
    why: 'what a person approves there looks like the same screen of the kit, because it is that screen',
  },
  {
    from: /^src\/vault\/(approval\/sign\/user-operation\/|signing\/coinbase-operation\.ts$)/,
    to: [/^src\/wallets\/smart\/(account-codec|owner-rpc|accounts\/features)\.ts$/],
    why: 'kit and vault read the operations of smart accounts by the same codecs, so shown and signed can’t differ',
  },
  {
    from: /^src\/vault\/approval\//,
    to: [/^src\/mfa\//],
    why: 'second factors are set up and asked for in the same steps, whoever draws them',
  },
  {
    from: /^src\/vault\/approval\/recover\/found-wallets\.ts$/,
    to: [/^src\/wallets\/external\/(claims|(ethereum|solana)\/(claims|injected|link|wallet))\.ts$/],
    why: 'what external wallets say is read with the same suspicion, whichever page asks them',
  },
  {
    from: /^demo\/site\/server\//,
    to: [/^src\/protocol\/server\/grants\.ts$/],
    why: 'an app’s own server acts with the client that the package has for it',
  },
  {
    from: /^demo\/gallery\//,
    to: [/^src\/vault\/approval\/.*\.tsx$/],
    why: 'the screens of the vault are looked at like all others',
  },
]

/**
 * What the kit loads, what calls of a host and the services of a person load, which a landing screen does without, and the accounts that
 * kit and vault load by their kind.
 */
const lazyTables = [
  ...['src/kit/features.ts', 'src/kit/host/features.ts', 'src/kit/services/features.ts'],
  'src/wallets/smart/accounts/features.ts',
]

/**
 * Files that are loaded lazily from elsewhere than the tables, each with its reason. New ones belong in a
 * table; this list may only get shorter. The parts of `src/ui` load their own, such as the rules of phone numbers.
 */
const lazyElsewhere: Readonly<Record<string, string>> = {
  'src/wallets/external/discovery.ts → src/wallets/external/ethereum/connector.ts':
    'speaks with wallets of that kind, and is loaded when the page has one',
  'src/wallets/external/discovery.ts → src/wallets/external/solana/connector.ts':
    'speaks with wallets of that kind, and is loaded when the page has one',
  'src/wallets/external/remotes.ts → src/wallets/external/coinbase.ts':
    'loads the SDK of its vendor, when somebody chooses that wallet',
  'src/wallets/external/remotes.ts → src/wallets/external/wallet-connect/connector.ts':
    'loads the SDK of its vendor, when somebody chooses that wallet',
  'src/wallets/external/wallet-connect/provider.ts → src/wallets/external/wallet-connect/node.ts':
    'verifies what a wallet signed, by viem',
  'src/wallets/external/external.ts → src/wallets/external/restore.ts':
    'reconnects wallets of an earlier visit, once discovery has begun',
  'src/wallets/external/ethereum/chain.ts → src/ethereum/chains.ts':
    'comes with viem, which people who only log in never need',
  'src/wallets/connect/open.ts → src/ethereum/chains.ts':
    'comes with viem, which people who only log in never need',
  'src/wallets/connect/flow.ts → src/wallets/connect/connect-one.ts':
    'talks to a wallet, which the list does without',
  'src/wallets/embedded/create/ensure.ts → src/wallets/flows.ts':
    'the screens of a recovery, which most logins never need',
  'src/login/wallet/siwe.ts → src/login/wallet/siwe-message.ts':
    'comes with viem, once somebody logs in with an Ethereum wallet',
}

/** Where React, react-dom, Emotion and r2wc may be used as values. */
const reactPlaces = /^(src\/ui|styles|demo\/gallery)\/|^elements\/view(\.tsx$|\/)|^src\/.*\.tsx$/
const isReact = (name: string) => /^(react|react-dom|@emotion\/\w+|@r2wc\/[\w-]+)(\/|$)/.test(name)

/** What a page loads before anybody opens a dialog: the elements, and the kit where a session is to be restored. */
const isEarly = ({ file, text }: Source) =>
  /^elements\/[\w-]+\.ts$/.test(file) && (/@tag /.test(text) || /\/(index|cdn|create-kit)\.ts$/.test(file))

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
  if (!layer) return [`${file} belongs to no layer: add it to the table at the top of imports.test.ts`]
  const allowed = reach(layer)
  return imports.flatMap(({ to, own, kind }) => {
    if (!own) return []
    if (!byFile.has(to))
      return /\.(json|svg|css|sql)$/.test(to) ? [] : [`${file} → ${to}: there is no such source`]
    const target = layerOf(to)
    if (!target || allowed.has(target)) return []
    if (alsoAllowed.some((arrow) => arrow.from.test(file) && arrow.to.some((each) => each.test(to))))
      return []
    return [`${file} → ${to} (${kind}): ${layer} may not import ${target}, only ${[...allowed].join(', ')}`]
  })
}

/** Circles of files that import each other, types and lazy imports included; each is reported once. */
function cycles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]) => {
    const start = way.indexOf(file)
    if (start >= 0) found.push([...way.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { to } of byFile.get(file)?.imports ?? []) follow(to, [...way, file])
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
  it('stand in docs/architecture.md as they are here', () => {
    const page = fs.readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^([\w-]+) +← *(.*)$/gm)].map(([, name = '', below = '']) => [
      name,
      below.split(' ').filter(Boolean),
    ])
    const here = Object.entries(layers).map(([name, { over }]) => [name, over])
    expect(rows).toEqual(here)
  })
  it('have no circles of files that need each other', () => {
    expect(cycles()).toEqual([])
  })
  it('keep the vault to itself', () => {
    const wrong = kitSide.flatMap(({ file, imports }) =>
      imports.filter(({ to }) => to.startsWith('src/vault/')).map(({ to }) => `${file} → ${to}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('a lazy import of the kit', () => {
  const found = kitSide
    .filter(({ file }) => file.startsWith('src/') && !file.startsWith('src/ui/'))
    .filter(({ file }) => !lazyTables.includes(file))
    .flatMap(({ file, imports }) =>
      imports.filter(({ kind, own }) => own && kind === 'lazy').map(({ to }) => `${file} → ${to}`),
    )

  it('stands in one of the tables, or in the list of those that do not', () => {
    expect(found.filter((arrow) => !Object.hasOwn(lazyElsewhere, arrow))).toEqual([])
  })
  it('is loaded by `lazily`, so that a lost network has a name and another try', () => {
    const bare = kitSide
      .filter(({ file }) => file.startsWith('src/') && !file.startsWith('src/ui/'))
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ kind, byLazily }) => kind === 'lazy' && !byLazily)
          .map(({ to }) => `${file} → ${to}`),
      )
    expect(bare).toEqual([])
  })
  it('is taken off that list when it is gone', () => {
    expect(Object.keys(lazyElsewhere).filter((arrow) => !found.includes(arrow))).toEqual([])
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
      ({ file, hasJsx }) => /flow\.ts$/.test(file) && (hasJsx || /tsx$/.test(file)),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
  it('is not loaded, nor are screens and flows, before somebody opens a dialog', () => {
    const heavy = ({ to }: Import) => isReact(to) || /flow\.ts$|\.tsx$/.test(to)
    const ways = product.filter(isEarly).flatMap(({ file }) => wayTo(file, heavy) ?? [])
    expect(ways.join(' → ')).toBe('')
  })
})

describe('the landing screen', () => {
  it('loads nothing of accounts, sessions of one’s own, second factors or their words', () => {
    // The names of the factors are read from a user, by everybody.
    const later = ({ to }: Import) =>
      /^src\/(account|mfa)\/(?!methods\.ts)|^src\/kit\/host\/(account|mfa|settings|sessions|devices)\.ts$|^src\/kit\/services\/second-factors\.ts$/.test(
        to,
      ) || /^src\/copy\/en\/(account|accounts|mfa|settings|passkey)\.ts$/.test(to)
    const firsts = ['elements/create-kit.ts', 'src/kit/services/services.ts', 'src/login/flow.ts']
    expect(firsts.filter((file) => !byFile.has(file))).toEqual([])
    expect(firsts.flatMap((file) => wayTo(file, later) ?? []).join(' → ')).toBe('')
    // What is looked for is there, further on.
    expect(['src/kit/host/mfa.ts', 'src/kit/host/settings.ts'].every((file) => wayTo(file, later))).toBe(true)
  })
})

describe('src/protocol', () => {
  const isProtocol = ({ file }: Source) => file.startsWith('src/protocol/')
  const isEdgeOfVault = ({ file }: Source) => file.startsWith('src/vault/server/')
  const insideProduct = product.filter((source) => !isProtocol(source) && !isEdgeOfVault(source))

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
  it('have no `any` and silence no type error', () => {
    const silenced = product
      .filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text))
      .map(({ file }) => file)
    const anys = product.flatMap(({ file, anys }) => anys.map((line) => `${file}:${line}`))
    expect([...anys, ...silenced]).toEqual([])
  })
  it('name their waits in the limits of a room', () => {
    const wrong = product.flatMap(({ file, waits }) => waits.map((line) => `${file}:${line}`))
    expect(wrong).toEqual([])
  })
})
