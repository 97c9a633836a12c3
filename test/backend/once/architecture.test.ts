/** Holds the shape of the backend: which room may import which, and that one list registers all that it does. */
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { features } from '../../../demo/backend/features.ts'
import { readSources, type Source } from '../../architecture/sources.ts'

const root = 'demo/backend/'
/** From the ground up. A room may import itself and the rooms above it in this list, types included. */
const rooms: readonly (readonly [room: string, what: string])[] = [
  ['lib', 'no knowledge of this product'],
  ['settings', 'what operators and the owners of apps set, and the policy numbers'],
  ['outside', 'how third parties are called'],
  ['chains', 'addresses, signatures and nodes of the chains'],
  ['secrets', 'the keys, and what is sealed with them'],
  ['store', 'the database, and the tables that all features share'],
  ['http', 'what every route needs: bodies, origins, errors, repetitions'],
  ['users', 'the tables of people and of the accounts by which they are known'],
  ['audit', 'what happened to people’s accounts, and by whom'],
  ['passkeys', 'what WebAuthn proves'],
  ['devices', 'the keys of browsers, and the proofs that are made with them'],
  ['sessions', 'sessions and their tokens'],
  ['visits', 'what providers say to the vault’s window'],
  ['codes', 'codes that are sent to an address'],
  ['mfa', 'the second factors that people have, and what asks for them'],
  ['descriptors', 'what contracts’ calls mean, from the packed registry'],
  ['wallets', 'embedded wallets: shares, recovery, transactions'],
  ['preview', 'what a transaction would do and cost, and prices'],
  ['grants', 'what servers of apps may do with wallets, as users have agreed to it'],
  ['devices/enrolment', 'how a browser’s key becomes one of a person’s'],
  ['accounts', 'people: log in, link, transfer, unlink'],
  ['mfa/factors', 'how people add, show and remove second factors'],
  ['login/captcha', 'the captcha'],
  ['login', 'what login methods share'],
  ['login/code', ''],
  ['login/cross-app', ''],
  ['login/oauth', ''],
  ['login/passkey', ''],
  ['login/telegram', ''],
  ['login/farcaster', ''],
  ['login/wallet', 'what the two logins with a wallet share'],
  ['login/siwe', ''],
  ['login/siws', ''],
  ['login/guest', ''],
  ['login/custom-jwt', ''],
  ['login/in-vault', 'providers that the vault’s window runs'],
  ['drives', 'the drives of people, where secrets of a recovery are'],
  ['ramps', 'who sells coins, what users buy there, and what the sellers say of it'],
  ['apps', 'what is public about an app'],
  ['vault', 'the pages on which the vault runs'],
  ['analytics', 'what clients report about their use'],
  ['admin', 'what an operator may do with a key of the app'],
  ['features.ts', 'the list'],
  ['operator', 'the tools of the operator'],
  ['server.ts', 'the backend'],
  ['main.ts', 'the program'],
]
/** What the backend shares with kit and vault: functions without state, and how transactions are prepared and simulated. */
const shared = /^src\/(?:lib|ethereum|solana|clear-signing)\//
/** Login methods know what they share, and none of each other but for these. */
const amongMethods: Record<string, readonly string[]> = {
  'login/oauth': ['login/cross-app'],
  'login/in-vault': ['login/oauth', 'login/cross-app', 'login/telegram', 'login/farcaster'],
  'login/siwe': ['login/wallet'],
  'login/siws': ['login/wallet'],
}
const isMethod = (room: string) => room.startsWith('login/') && room !== 'login/captcha'

const sources = readSources(['demo/backend'])
const byFile = new Map(sources.map((source) => [source.file, source]))

/** The room of a file: of those that fit, the innermost. */
function roomOf(file: string): number {
  const path = file.slice(root.length)
  const fitting = rooms
    .map(([room], at) => ({ room, at }))
    .filter(({ room }) => path === room || path.startsWith(`${room}/`))
    .sort((one, other) => other.room.length - one.room.length)
  return fitting[0]?.at ?? -1
}

function wrongImports({ file, imports }: Source): string[] {
  const at = roomOf(file)
  const [room = ''] = rooms[at] ?? []
  if (at < 0) return [`${file} belongs to no room: add it to the table in this test`]
  return imports.flatMap(({ to, own, kind }) => {
    if (!own) return []
    if (!to.startsWith(root)) return shared.test(to) ? [] : [`${file} → ${to}`]
    const target = roomOf(to)
    const [name = ''] = rooms[target] ?? []
    const stranger = isMethod(room) && isMethod(name) && room !== name && !amongMethods[room]?.includes(name)
    return target <= at && !stranger ? [] : [`${file} → ${to} (${kind}): ${room} may not import ${name}`]
  })
}

/** Circles of files that import each other, types included. */
function circles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const follow = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) found.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { to, own } of byFile.get(file)?.imports ?? []) if (own) follow(to, [...path, file])
    done.add(file)
  }
  for (const { file } of sources) follow(file, [])
  return found
}

describe('the rooms of the backend', () => {
  it('import only rooms below them', () => {
    expect(sources.flatMap(wrongImports)).toEqual([])
  })
  it('have no circles of files, types included', () => {
    expect(circles()).toEqual([])
  })
  it('all exist', () => {
    const used = new Set(sources.map(({ file }) => roomOf(file)))
    expect(rooms.filter((_, at) => !used.has(at)).map(([room]) => room)).toEqual([])
  })
})

describe('the list of features', () => {
  it('has every feature that a room defines', async () => {
    const modules = await Promise.all(
      sources
        .filter(({ file }) => file.endsWith('/feature.ts'))
        .map(async ({ file }) => ({
          file,
          exports: Object.values(await import(/* @vite-ignore */ `../../../${file}`)),
        })),
    )
    expect(modules.length).toBeGreaterThan(10)
    const listed = new Set<unknown>(features)
    expect(modules.filter(({ exports }) => !exports.some((each) => listed.has(each)))).toEqual([])
  })
  it('has every table, once', async () => {
    const modules = await Promise.all(
      sources
        .filter(({ file }) => file.endsWith('/tables.ts'))
        .map(({ file }) => import(/* @vite-ignore */ `../../../${file}`)),
    )
    const defined = modules.flatMap((module) => Object.values(module).filter((each) => is(each, PgTable)))
    const names = (tables: readonly PgTable[]) => tables.map(getTableName).sort()
    expect(defined.length).toBeGreaterThan(15)
    expect(names(features.flatMap(({ tables = [] }) => tables))).toEqual(names(defined as PgTable[]))
  })
  it('is the only file that knows the features of the rooms', () => {
    const others = sources.flatMap(({ file, imports }) =>
      imports.filter(({ to }) => to.endsWith('/feature.ts')).map(({ to }) => `${file} → ${to}`),
    )
    expect(others.filter((arrow) => !arrow.startsWith('demo/backend/features.ts'))).toEqual([])
  })
})
