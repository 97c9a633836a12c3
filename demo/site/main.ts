/** The demo's host page: plain HTML that knows nothing of Latchkey but its elements, their events and methods. */
import { isAddressEqual, recoverMessageAddress } from 'viem'
import type {
  AccountLink,
  AccountSettings,
  LoginMethod,
  LoginModal,
  MfaEnroll,
  PasskeyManager,
  WalletActivity,
  WalletBalances,
  WalletConnector,
  WalletCreate,
  WalletExport,
  WalletFund,
  WalletRecovery,
  WalletSend,
  WalletSign,
} from '../../src/index.ts'
import { accounts } from './accounts.ts'
import { delegation } from './delegation.ts'
import { embedded } from './embedded.ts'
import { factors } from './factors.ts'
import { farcasterSigner } from './farcaster-signer.ts'
import { money } from './money.ts'
import { moreWays } from './more-ways.ts'
import { networks } from './networks.ts'
import { otherApps } from './other-apps.ts'
import { purchases } from './purchases.ts'
import { requests } from './requests.ts'
import { wallets } from './wallets.ts'

/** `?methods=google,discord` shows these alone, `?popup` has social logins come back by a window. */
const query = new URLSearchParams(location.search)
const methods = query.get('methods')?.split(',')

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const login = document.querySelector('login-modal') as LoginModal
const signer = document.querySelector('wallet-sign') as WalletSign
const linker = document.querySelector('account-link') as AccountLink
const protection = document.querySelector('mfa-enroll') as MfaEnroll
const settings = document.querySelector('account-settings') as AccountSettings
const passkeys = document.querySelector('passkey-manager') as PasskeyManager
const connector = document.querySelector('wallet-connector') as WalletConnector
const creator = document.querySelector('wallet-create') as WalletCreate
const recovery = document.querySelector('wallet-recovery') as WalletRecovery
const sender = document.querySelector('wallet-send') as WalletSend
const funder = document.querySelector('wallet-fund') as WalletFund
const balances = document.querySelector('wallet-balances') as WalletBalances
const activity = document.querySelector('wallet-activity') as WalletActivity
const exporter = document.querySelector('wallet-export') as WalletExport
login.config = {
  ...(methods && { loginMethods: methods as LoginMethod[] }),
  ...(login.dataset.captchaScript && { captcha: { scriptUrl: login.dataset.captchaScript } }),
  oauth: { returnBy: query.has('popup') ? 'popup' : 'redirect' },
  ...networks(login.dataset.networks),
  // Whose window grants access to iCloud: here not Apple's.
  ...(login.dataset.icloudOrigin && { embeddedWallets: { icloudOrigin: login.dataset.icloudOrigin } }),
  // A cent or two for what is sold by x402, and half a dollar a day.
  x402: { perPayment: { usd: 0.02 }, perDay: { usd: 0.5 }, skipsReviews: true },
  ...moreWays(login, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`)),
}
byId('wallets').hidden = !login.dataset.external
wallets(connector, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
accounts({ login, linker, settings, passkeys }, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
factors({ login, protection }, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
embedded({ login, creator, recovery, exporter }, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
requests(login, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
otherApps(login, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
delegation(login, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
farcasterSigner(login, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
purchases(login, (what, cause) => note(`${what} rejected: ${codeOf(cause)}`))
money({ login, sender, funder, balances, activity }, (what, cause) =>
  note(`${what} rejected: ${codeOf(cause)}`),
)
let signed: { message: string; signature: `0x${string}` } | undefined

function show(): void {
  const { user } = login
  const wallet = user?.wallet?.address ?? ''
  byId('status').textContent = user?.isGuest
    ? 'You are a guest.'
    : user
      ? 'You are logged in.'
      : 'You are logged out.'
  byId('how').hidden = !!user
  byId('user').hidden = byId('log-out').hidden = !user
  byId('log-in').hidden = user ? !user.isGuest : false
  byId('signing').hidden = !user?.linkedAccounts.some((each) => each.type === 'wallet' && each.embedded)
  byId('email').textContent = user?.email?.address ?? ''
  byId('address').textContent = wallet
  byId('user-id').textContent = user?.id ?? ''
  if (!user) forgetSignature()
}

function forgetSignature(): void {
  signed = undefined
  byId('signature').textContent = byId('verdict').textContent = ''
  byId('request-answer').textContent = ''
  byId<HTMLButtonElement>('verify').disabled = true
}

function note(text: string): void {
  const line = document.createElement('li')
  line.textContent = text
  byId('trace').prepend(line)
}

/** A method's failure also arrives as an event: here it need only not be lost. */
const codeOf = (cause: unknown) => (cause as { code?: string }).code ?? String(cause)

byId('log-in').addEventListener('click', async () => {
  // Somebody may be faster than the element's code.
  if (!login.matches(':defined')) await customElements.whenDefined('login-modal')
  login.login().catch((cause: unknown) => note(`login() rejected: ${codeOf(cause)}`))
})
byId('log-out').addEventListener('click', () => void login.logout())

byId<HTMLFormElement>('sign').addEventListener('submit', async (event) => {
  event.preventDefault()
  forgetSignature()
  const message = byId<HTMLTextAreaElement>('message').value
  try {
    const signature = await signer.sign(message)
    signed = { message, signature: signature as `0x${string}` }
    byId('signature').textContent = signature
    byId<HTMLButtonElement>('verify').disabled = false
  } catch (cause) {
    note(`sign() rejected: ${codeOf(cause)}`)
  }
})

byId('verify').addEventListener('click', async () => {
  const wallet = login.user?.wallet?.address
  if (!signed || !wallet) return
  const signedBy = await recoverMessageAddress(signed)
  const ours = isAddressEqual(signedBy, wallet as `0x${string}`)
  byId('verdict').textContent = ours ? `Valid: signed by ${signedBy}` : `Not valid: signed by ${signedBy}`
})

for (const element of [
  login,
  linker,
  protection,
  settings,
  passkeys,
  connector,
  signer,
  creator,
  recovery,
  exporter,
  sender,
  funder,
  balances,
  activity,
] as HTMLElement[]) {
  for (const type of [
    'lk-ready',
    'lk-open',
    'lk-step',
    'lk-close',
    'lk-login',
    'lk-logout',
    'lk-link',
    'lk-unlink',
    'lk-update',
    'lk-transfer-request',
    'lk-mfa',
    'lk-mfa-required',
    'lk-passkeys',
    'lk-signature',
    'lk-wallet',
    'lk-recovery',
    'lk-connect',
    'lk-disconnect',
    'lk-wallets',
    'lk-submitted',
    'lk-receipt',
    'lk-fund-status',
    'lk-error',
  ]) {
    element.addEventListener(type, (event) => {
      const { screen, completed, code } = ((event as CustomEvent).detail ?? {}) as Record<string, unknown>
      const more = [
        screen,
        completed === undefined ? undefined : completed ? 'completed' : 'not completed',
        code,
      ]
      note([element.localName, type, ...more].filter(Boolean).join(' · '))
    })
  }
}
for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
show()

/** Who decides in an app what a wallet signs. */
const modes: Record<string, string> = {
  strict: 'Strict: the vault asks the person',
  compatible: 'Compatible: the page decides, as unmodified clients expect',
}
const select = byId<HTMLSelectElement>('app')
const apps = await fetch('/apps.json').then(
  (answer) => answer.json(),
  // Without the others the page still has the app that it is about.
  () => [],
)
const groups = new Map<string, HTMLOptGroupElement>()
for (const { id, name, vault } of apps as { id: string; name: string; vault: string }[]) {
  let group = groups.get(vault)
  if (!group) {
    group = document.createElement('optgroup')
    group.label = modes[vault] ?? vault
    groups.set(vault, group)
    select.append(group)
  }
  group.append(new Option(name, id, false, id === login.getAttribute('app-id')))
}
select.addEventListener('change', () => {
  location.search = new URLSearchParams({ app: select.value }).toString()
})
