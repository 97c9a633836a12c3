/**
 * Every screen that the vault draws in pages of its own, by what is approved with it. In the short run the places share its examples: each
 * place has the first one and its own part of the others.
 */
import { expect } from '@open-wc/testing'
import { emulateMedia, setViewport } from '@web/test-runner-commands'
import { all } from '../../../demo/gallery/screens.ts'
import type { ApprovalLook } from '../../../src/protocol/frame/approval.ts'
import { purposes } from '../../../src/vault/approval/purposes.ts'
import { screens } from '../../../src/vault/approval/window/screens.ts'
import { eachOf, soak, soaking } from '../../support/soak.ts'
import { atRest, violationsIn } from './axe.ts'
import { mountVault, painted, tooWide, unmountAll } from './mount.tsx'

const password = ['set-password', 'save-password', 'confirm-password', 'finish-password', 'password-result']
const enrolment = [
  ...['connecting-wallet', 'failure', 'choose-factor', 'enter-code', 'password-recovery'],
  ...['device-approval', 'vault-passkey', 'wallet-proof', 'visit-provider', 'awaiting-farcaster'],
]
const drive = ['confirm-drive', 'visit-provider', 'recovery-oauth']
const shownFor: Readonly<Record<keyof typeof purposes, readonly string[]>> = {
  sign: ['sign-message', 'sign-typed-data', 'approve-transaction', 'approve-calls'],
  recover: [...enrolment, ...drive],
  'set-recovery': ['automatic-recovery', 'password-recovery', ...password, ...drive],
  'login-code': ['enter-code'],
  create: [...password, ...drive],
  export: ['show-key', 'password-recovery'],
  grant: ['give-permission'],
  import: ['import-key'],
  'remove-device': ['remove-device'],
  'account-change': ['account-change', 'account-frozen', ...enrolment],
  unfreeze: ['account-frozen', ...enrolment],
  'approve-device': ['approve-device', 'device-answered'],
  'vault-passkeys': ['vault-passkeys', 'vault-passkey', 'remove-vault-passkey'],
  mfa: [
    ...['mfa-intro', 'mfa-methods', 'mfa-authenticator', 'mfa-phone', 'mfa-passkeys', 'mfa-enrolled'],
    ...['mfa-recovery-codes', 'mfa-loading', 'mfa-verify', 'mfa-code', 'mfa-passkey', 'mfa-recovery-code'],
    'mfa-remove',
  ],
}
const around = ['continue-in-window', 'waiting-for-window', 'window-done', 'window-ended']
/** The others have the room of these and more: the long form has them as well. */
const places: readonly {
  name: string
  tightest?: true
  width: number
  height: number
  look: Partial<ApprovalLook>
}[] = [
  { name: 'a dialog', width: 360, height: 620, look: {} },
  { name: 'a drawer', width: 400, height: 620, look: { drawer: true } },
  {
    name: 'a drawer of a small phone',
    tightest: true,
    width: 320,
    height: 560,
    look: { drawer: true, dir: 'rtl' },
  },
  { name: 'a window', width: 420, height: 680, look: { closable: false } },
  {
    name: 'a dialog with text twice as large',
    tightest: true,
    width: 360,
    height: 640,
    look: { textScale: 2 },
  },
]
/** In the light theme every screen is looked at in the page: the long form looks at the vault's as well. */
const looks = [
  { theme: 'dark', dir: 'rtl', textScale: 2 },
  { theme: 'light', dir: 'ltr' },
] as const
const ids = [...new Set([...Object.values(shownFor).flat(), ...around])]
const examplesOf = (id: string) => {
  const entry = all[id]
  if (!entry) throw new Error(`The gallery has no ${id}`)
  return Object.entries(entry.examples).map(([name, example]) => ({ screen: entry.screen, name, example }))
}

async function show({ screen, example }: ReturnType<typeof examplesOf>[number], look: Partial<ApprovalLook>) {
  const shown = mountVault(look)
  await shown.ask(screen, example.props)
  if (example.busy !== undefined) {
    shown.stage.scene.get()?.answer(example.busy)
    await painted()
  }
  await atRest(shown.root)
  return shown
}

const usedPlaces = places.filter(({ tightest }) => soaking || tightest)
/** The examples of a screen that are looked at in a place. */
const examplesAt = (id: string, place: number) =>
  examplesOf(id).filter((_, at) => soaking || at === 0 || at % usedPlaces.length === place)

describe('what the vault draws', () => {
  before(() => emulateMedia({ reducedMotion: 'reduce' }))
  afterEach(unmountAll)
  after(async () => {
    await emulateMedia({ reducedMotion: 'no-preference' })
    await setViewport({ width: 800, height: 600 })
  })

  it('is looked at here, all of it', () => {
    expect(Object.keys(purposes).sort()).to.deep.equal(Object.keys(shownFor).sort())
    expect(Object.keys(screens).filter((id) => !ids.includes(id))).to.deep.equal([])
  })

  for (const [place, { name, width, height, look }] of usedPlaces.entries())
    describe(`in ${name}`, () => {
      before(() => setViewport({ width, height }))
      for (const id of ids)
        it(`has room for ${examplesAt(id, place).length} of the ${examplesOf(id).length} examples of ${id}, and its buttons can be reached`, async () => {
          for (const each of examplesAt(id, place)) {
            const shown = await show(each, look)
            expect(tooWide(shown), each.name).to.deep.equal([])
            const footer = shown.root.querySelector('[data-layer]:not([inert]) [part=footer]')
            // With large text the whole screen scrolls.
            footer?.scrollIntoView({ block: 'end' })
            expect(footer?.getBoundingClientRect().bottom ?? 0, each.name).to.be.at.most(height + 1)
            unmountAll()
          }
        })
    })

  for (const look of soaking ? looks : looks.slice(0, 1))
    describe(`${look.theme}, from ${look.dir === 'ltr' ? 'left to right' : 'right to left with large text'},`, () => {
      before(() => setViewport({ width: 360, height: 620 }))
      for (const id of eachOf(ids, soak(4, 1)))
        it(`is accessible with ${id}`, async () => {
          const [first] = examplesOf(id)
          if (!first) throw new Error(`${id} has no example`)
          const { root } = await show(first, look)
          expect(await violationsIn(root)).to.deep.equal([])
        })
    })
})
