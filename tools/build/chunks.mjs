/**
 * Which modules share a file, in one table. A file takes what its modules import and no line above it has taken, so files never need
 * each other in a circle. What is in no line is left to rollup: features that share nothing get a file each.
 *
 * A line is worth a request: one that would save less than 1 KiB belongs in another.
 */
import path from 'node:path'
import { root } from './program.mjs'

const login = (room, ...files) => files.map((file) => `src/login/${room}/${file}.ts`)
const ui = (...files) => files.map((file) => `src/ui/${file}`)
const lib = (...files) => files.map((file) => `src/lib/${file}.ts`)
const host = (...files) => files.map((file) => `src/kit/host/${file}.ts`)
const words = (...files) => files.map((file) => `src/copy/en/${file}.ts`)
const approval = (...files) => files.map((file) => `src/vault/approval/${file}`)

/** What a page loads before a user has chosen a way to log in, and what it restores a session with; with the code of vendors. */
const opening = {
  /** The kit without React: it asks for the app's settings. */
  kit: ['elements/create-kit.ts'],
  /** The view with React, and the flow that shows the landing screen: never loaded without each other. */
  dialog: ['elements/view.tsx', 'src/login/flow.ts'],
  session: ['src/kit/services/services.ts', 'src/kit/session/follow-session.ts'],
  /** Reads the return of a login that left the page, before anything else. */
  arrival: ['src/login/redirect/arrive.ts'],
}

const features = {
  /** What any screen after the landing screen needs. */
  screens: [
    ...words('account', 'approval', 'captcha', 'code', 'errors', 'farcaster', 'gate', 'oauth', 'passkey'),
    ...words('retry-errors', 'sms', 'telegram', 'wallet'),
    ...ui('actions/copy-or-download.tsx', 'actions/download.ts', 'feedback/banner.tsx', 'feedback/empty.tsx'),
    ...ui(
      'feedback/status-line.tsx',
      'feedback/success.tsx',
      'feedback/time-bar.tsx',
      'feedback/use-missed.ts',
    ),
    ...ui('feedback/waiting.tsx', 'fields/check-box.tsx', 'fields/limits.ts', 'layout/content.tsx'),
    ...ui('layout/joined.tsx', 'layout/value-card.ts', 'qr/qr-card.tsx', 'text/breakable.tsx'),
    ...ui(
      'text/visible-marks.ts',
      'wallet/address-card.tsx',
      'wallet/detail-row.tsx',
      'wallet/wallet-mark.tsx',
    ),
    ...lib('app-link', 'device', 'plain', 'poll', 'random', 'script', 'watch'),
    'src/app/failure/flow.ts',
    'src/app/failure/until-loaded.ts',
    'src/kit/session/session-changed.ts',
    'src/wallets/approval/flow.ts',
    'src/wallets/limits.ts',
  ],
  /** The calls of the login methods, which linking accounts makes as well. */
  protocol: ['passkeys', 'passwordless', 'oauth', 'siwe', 'siws', 'telegram', 'unlinking', 'farcaster'].map(
    (file) => `src/protocol/${file}.ts`,
  ),
  login: [
    'src/login/after-landing.ts',
    'src/login/attempt.ts',
    'src/login/prove.ts',
    'src/login/methods.ts',
    'src/login/flow-state.ts',
    'src/login/login-result.ts',
    'src/errors/of-every-method.ts',
    ...lib('in-app-browser'),
    ...login('transfer', 'flow'),
    ...login('captcha', 'flow', 'pass', 'service'),
    ...login('guest', 'service'),
    ...login('custom-jwt', 'service'),
    ...login('telegram', 'left-login'),
  ],
  code: login('code', 'flow', 'email-service'),
  /** With the rules of phone numbers, which are the larger part. */
  sms: [...login('code', 'sms-flow', 'sms-service'), 'src/ui/fields/phone-field/phone-field.tsx'],
  windows: ['src/app/popup-return.ts', 'src/wallets/recovery/drives/drive-access.ts'],
  oauth: [...login('oauth', 'flow', 'service'), ...login('cross-app', 'flow', 'service')],
  passkey: login('passkey', 'flow', 'service'),
  telegram: login('telegram', 'flow', 'service'),
  farcaster: login('farcaster', 'flow', 'service'),

  /** What the providers of wallets share, ours and those of others. */
  providers: [
    ...['claims', 'host-listeners', 'provider-error'].map((file) => `src/wallets/external/${file}.ts`),
    ...['address', 'hex', 'integer', 'wallet-code'].map((file) => `src/ethereum/${file}.ts`),
    ...lib('byte-array', 'caip', 'invalid-request', 'node-errors'),
  ],
  'words-wallets': words('connect', 'wallet-errors'),
  wallets: [
    'src/wallets/external/external.ts',
    'src/wallets/external/restore.ts',
    'src/wallets/external/wallet-failures.ts',
    'src/wallets/connect/connect-one.ts',
    'src/kit/resume/wallet-browser.ts',
    'src/kit/wallets/external.ts',
    'src/kit/host/connect.ts',
    ...login('wallet', 'flow', 'landing-rows'),
  ],
  'wallet-sign-in': login('wallet', 'siwe', 'siws'),
  chains: ['src/ethereum/chains.ts'],
  'ethereum-wallets': ['src/wallets/external/ethereum/connector.ts'],
  'remote-wallets': ['src/wallets/external/wallet-connect/connector.ts', 'src/wallets/external/coinbase.ts'],

  'words-account': words(
    ...['accounts', 'settings', 'mfa', 'device', 'password', 'recovery', 'recovery-errors', 'export'],
    ...['sign', 'transaction'],
  ),
  vault: [
    'src/wallets/embedded/open-vault.ts',
    'src/wallets/approval/service.ts',
    'src/wallets/export/service.ts',
    'src/kit/services/account-changes.ts',
  ],
  /** Reads requests to sign, for screens and for the page's libraries. */
  requests: [
    ...['amounts', 'transaction', 'typed-data'].map((file) => `src/ethereum/${file}.ts`),
    'src/solana/clusters.ts',
    ...lib('sign-in-text', 'safe-text', 'price'),
  ],
  /** Says what a transaction or typed data does; comes with the first review of one. */
  'clear-signing': ['src/clear-signing/index.ts'],
  host: [
    ...host('calls', 'follow-devices', 'headless-calls', 'prompt', 'sessions'),
    'src/account/sessions/service.ts',
    'src/wallets/devices/service.ts',
  ],
  recovery: ['src/wallets/flows.ts', ...host('devices', 'embedded-methods', 'permissions')],
  mfa: ['src/kit/services/second-factors.ts', ...host('mfa')],
  account: ['src/account/service.ts', ...host('account')],
  /** Follows what was sent: loaded after a reload as well, when nothing is reviewed. */
  tracking: ['src/signing/ethereum/track.ts', 'src/signing/solana/track.ts'],
  signing: host('signing'),
  /** What was sent, and what wallets hold. */
  activity: host('activity', 'balances'),
  /** The form with which users send. */
  send: host('send-form'),
  /** Purchases, which activity lists as well. */
  purchases: host('purchases'),
  /** The dialog in which users add funds to a wallet. */
  funding: host('funding'),
  /** Funding from another wallet, and by a bridge. */
  transfer: host('funding-transfer'),
  solana: ['src/solana/adapter.ts'],
}

/** The vault's pages that draw: the frame of an approval, its window, and the page to which providers return. */
const vaultOpening = {
  /** All that the return page needs. */
  visits: approval('providers/return.ts'),
  /** Frame and window, until a message is signed. */
  first: approval('main.ts', 'surface.tsx', 'sign/flow.ts', 'window/wipe-at-end.ts', 'providers/popup.ts'),
}
const vaultFeatures = {
  screens: [
    ...approval('recover/screens.ts', 'providers/news.ts', 'turned-back.ts'),
    ...words('devices', 'login', 'sms'),
    ...ui(
      'actions/copy-or-download.tsx',
      'actions/download.ts',
      'feedback/chip.tsx',
      'feedback/skeleton.tsx',
    ),
    ...ui('fields/check-box.tsx', 'layout/joined.tsx', 'layout/value-card.ts', 'qr/qr-card.tsx'),
    ...ui('wallet/address-card.tsx', 'wallet/wallet-mark.tsx'),
    'src/vault/statements.ts',
    'src/wallets/limits.ts',
  ],
  recovery: [
    ...approval('recover/flow.ts', 'recover/prove-flow.ts'),
    'src/vault/device/enrol.ts',
    'src/vault/recovery/change.ts',
    'src/vault/recovery/present.ts',
    'src/vault/shares/make-record.ts',
  ],
  password: approval('set-recovery/flow.ts', 'set-recovery/screens.ts'),
  create: [...approval('create/flow.ts'), 'src/vault/wallets/create-root.ts'],
  import: approval('import/flow.ts', 'import/screens.ts'),
  export: approval('export/flow.ts', 'export/screens.ts'),
  mfa: approval('mfa/flow.ts', 'mfa/screens.ts', 'mfa/verify.ts'),
  providers: approval('providers/prove.ts', 'providers/screens.ts', 'providers/drive.ts'),
  devices: approval('approve-device/flow.ts', 'approve-device/screens.ts').concat(
    approval('remove-device/flow.ts', 'remove-device/screens.ts'),
  ),
  passkeys: approval('vault-passkeys/flow.ts', 'vault-passkeys/screens.ts', 'recover/by-passkey.ts'),
  'account-change': approval('account-change/flow.ts', 'account-change/screens.ts').concat(
    approval('frozen/flow.ts', 'frozen/screens.ts'),
  ),
  permission: approval('grant/flow.ts', 'grant/screens.ts'),
  'wallet-proof': approval('recover/by-wallet.ts', 'recover/wallet-proof.tsx'),
  'clear-signing': ['src/clear-signing/index.ts'],
  'sign-screens': [...approval('sign/screens.ts'), 'src/ethereum/amounts.ts', ...lib('fee-concern')],
}

/** Needed by some of many features, with the code of a vendor. */
const base58 = ['src/solana/base58.ts']

/** The chunks that every first dialog runs, and a page without one doesn't. */
export const openingChunks = ['kit', 'dialog']
/** The modules whose files bring all that the first dialog needs. The kit is first: it asks for the app's settings. */
export const openingModules = openingChunks.map((name) => path.join(root, opening[name][0]))

/** Rollup's options for the kit. @param shell what every page loads with the tag @param names what has a file before it */
export const kitChunks = (shell, names = {}) => chunked({ ...names, shell, ...opening, base58 }, features)
/** Rollup's options for the vault's pages that draw. */
export const vaultChunks = () => chunked({ ...vaultOpening, base58 }, vaultFeatures)

/** Features of the vault's page without screens that few apps ask for. */
const rare = ['src/vault/signing/coinbase-operation.ts', 'src/vault/signing/farcaster.ts']
/** Rollup's options for that page: one file, but for what is rare. */
export const hiddenChunks = () => {
  let common
  return {
    manualChunks(id, { getModuleInfo, getModuleIds }) {
      common ??= withoutRare(
        [...getModuleIds()].filter((each) => getModuleInfo(each)?.isEntry),
        getModuleInfo,
      )
      return common.has(id) ? 'main' : undefined
    },
  }
}

/** The modules that the entries reach without passing through a rare one. */
function withoutRare(entries, getModuleInfo) {
  const left = new Set(rare.map((module) => path.join(root, module)))
  const found = new Set()
  const add = (id) => {
    const module = getModuleInfo(id)
    if (!module || found.has(id) || left.has(id)) return
    found.add(id)
    for (const next of [...module.importedIds, ...module.dynamicallyImportedIds]) add(next)
  }
  entries.forEach(add)
  return found
}

/** Rollup names a file after a module, and vendors have modules whose names differ only by case, which some file systems ignore. */
export const chunkNames =
  (pattern) =>
  ({ name }) =>
    pattern.replace('[name]', name.toLowerCase())

/** @param whole files that hold the code of vendors as well; what others need of that is shared by rollup alone */
function chunked(whole, others) {
  let plan
  return {
    onlyExplicitManualChunks: true,
    chunkFileNames: chunkNames('chunks/[name]-[hash].js'),
    manualChunks(id, { getModuleInfo }) {
      plan ??= planOf({ ...whole, ...others }, (name) => Object.hasOwn(whole, name), getModuleInfo)
      return plan.get(id)
    },
  }
}

/** From the id of a module to the name of its file. */
function planOf(table, withVendors, getModuleInfo) {
  const plan = new Map()
  for (const [name, modules] of Object.entries(table)) {
    const add = (id) => {
      const module = getModuleInfo(id)
      if (!module || plan.has(id) || (isOfVendor(id) && !withVendors(name))) return
      // The program of a page is no part of what pages share.
      if (!module.isEntry) plan.set(id, name)
      module.importedIds.forEach(add)
    }
    for (const module of modules) {
      const id = path.join(root, module)
      if (!getModuleInfo(id)) throw new Error(`${module}, which chunks.mjs names, is no part of the build`)
      add(id)
    }
  }
  return plan
}

const isOfVendor = (id) => id.startsWith('\0') || id.includes('/node_modules/')
