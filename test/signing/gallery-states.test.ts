/** The gallery, from which axe and the screenshots are made, has every screen of sending and each of its states. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ActivityStatus } from '../../src/activity/entry.ts'
import { examples as balances } from '../../src/balances/wallet-balances.examples.tsx'
import { examples as details } from '../../src/signing/activity/activity-detail.examples.tsx'
import { examples as list } from '../../src/signing/activity/activity-list.examples.tsx'
import type { TransactionPreview } from '../../src/signing/preview.ts'
import { examples as approvals } from '../../src/signing/transaction/approve-transaction.examples.tsx'
import { examples as typedData } from '../../src/signing/typed-data/sign-typed-data.examples.tsx'

const root = fileURLToPath(new URL('../../', import.meta.url))
const screens = ['src/signing', 'src/activity', 'src/balances'].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.examples)\.tsx$/.test(file))
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter((file) => /\bdefineScreen\b.*[(<]/.test(fs.readFileSync(path.join(root, file), 'utf8'))),
)

test('gallery: every screen of signing, activity and balances is in it, with its examples', () => {
  expect(screens.length).toBeGreaterThan(7)
  const gallery = fs.readFileSync(path.join(root, 'demo/gallery/screens.ts'), 'utf8')
  const missing = screens.filter((file) => {
    const examples = file.replace(/\.tsx$/, '.examples.tsx')
    return (
      !fs.existsSync(path.join(root, examples)) ||
      ![file, examples].every((each) => gallery.includes(`'../../${each}'`))
    )
  })
  expect(missing).toEqual([])
})

/** Props of all examples of a screen, and those that an answer keeps busy. */
const propsOf = (examples: object) => Object.values(examples).map(({ props }) => props)
const busyOf = (examples: object) =>
  Object.values(examples).flatMap(({ busy }) => (busy === undefined ? [] : [busy]))

test('gallery: a transaction in the activity is shown in each of its states', () => {
  // A new state is a type error here.
  const states: Record<ActivityStatus, true> = {
    pending: true,
    confirmed: true,
    failed: true,
    replaced: true,
    dropped: true,
    expired: true,
    unknown: true,
  }
  const shown = new Set(propsOf(details).map(({ status }) => status))
  expect(Object.keys(states).filter((state) => !shown.has(state))).toEqual([])
  expect(busyOf(details).length).toBeGreaterThan(0)
  expect(busyOf(list).length).toBeGreaterThan(0)
})

test('gallery: each kind of action is shown, in a transaction or in typed data', () => {
  const kinds: Record<TransactionPreview['actions'][number]['kind'], true> = {
    transfer: true,
    token: true,
    deploy: true,
    mint: true,
    order: true,
    delegation: true,
    payment: true,
    revocation: true,
    control: true,
    account: true,
    refund: true,
    code: true,
    call: true,
    instruction: true,
    described: true,
  }
  const actionsOf = ({
    preview,
    actions = [],
  }: Partial<Pick<TransactionPreview, 'actions'>> & { preview?: TransactionPreview }) =>
    preview?.actions ?? actions
  const shown = new Set(
    [...propsOf(approvals), ...propsOf(typedData)].flatMap((props) =>
      actionsOf(props).map(({ kind }) => kind),
    ),
  )
  expect(Object.keys(kinds).filter((kind) => !shown.has(kind as never))).toEqual([])
})

test('gallery: a review is shown while it is prepared, signed, sent, cancelled, done, failed and underfunded', () => {
  const all = propsOf(approvals)
  const has = (name: string) => all.some((props) => props[name] !== undefined)
  expect(['preparing', 'done', 'error'].filter((name) => !has(name))).toEqual([])
  expect(all.some(({ preview }) => preview.isUnderfunded)).toBe(true)
  for (const answer of ['approve', 'cancel', 'recheck']) expect(busyOf(approvals)).toContain(answer)
  expect(all.some(({ preview }) => preview.balanceChanges === 'unavailable')).toBe(true)
})

test('gallery: balances are shown while they load, without a wallet and where a network fails', () => {
  const all = propsOf(balances)
  expect(all.some(({ isRefreshing }) => isRefreshing)).toBe(true)
  expect(all.some(({ wallets }) => wallets.length === 0)).toBe(true)
  const of = (status: string) =>
    all
      .flatMap(({ wallets }) =>
        wallets.flatMap(({ balances: held }: { balances: readonly { status: string }[] }) => held),
      )
      .some((balance) => balance.status === status)
  expect(['loading', 'unreachable'].filter((status) => !of(status))).toEqual([])
})
