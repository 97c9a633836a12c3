import type { ShowFailure } from '../../app/failure/flow.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import type { Verdict } from '../../errors/verdict.ts'
import { isMobile } from '../../lib/device.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { browseLinks } from '../../wallets/registry/browse.ts'
import { walletConnectLinks } from '../../wallets/registry/links.ts'
import { walletsLimits } from '../limits.ts'
import { awaitingConnection } from './awaiting-connection.tsx'
import type { Connection } from './context.ts'
import { walletVerdict } from './errors.ts'
import { installWallet } from './install-wallet.tsx'
import { openInWallet } from './open-in-wallet.tsx'
import { walletConnectCode } from './wallet-connect.tsx'
import { walletLoginFailed } from './wallet-login-failed.tsx'

/** They come with viem, which people who only log in never need. */
const loadChains = lazily(() => import('../../ethereum/chains.ts'))

/** What every screen of a connection shows. */
export const shown = ({ cx: { config }, offer, purpose }: Connection) => ({
  wallet: offer.meta,
  app: { name: config.appName, logoUrl: config.logoUrl },
  purpose,
})

/**
 * Connects to a wallet in the way that it can be reached. Resolves with `'back'` when the person goes back.
 */
export async function openWallet(connection: Connection): Promise<ConnectedAccount | 'back'> {
  switch (connection.offer.reach) {
    case 'install':
      return install(connection)
    case 'browse':
      return browse(connection)
    case 'wallet-connect':
      return pair(connection)
    case 'here':
    case 'coinbase':
      return ask(connection)
  }
}

/** The wallet asks the person itself. */
async function ask(connection: Connection): Promise<ConnectedAccount | 'back'> {
  const { cx, offer } = connection
  const external = await cx.wallets.external()
  const props = { ...shown(connection), state: 'connecting' as const }
  const outcome = await cx.stage.askDuring(awaitingConnection, props, (signal) =>
    external.connect(offer, { signal }),
  )
  return 'done' in outcome ? outcome.done : 'back'
}

/**
 * The wallet is on another device or in another app: it finds this page by an address, shown as a code to
 * scan or a link to tap, and renewed when it has expired.
 */
async function pair(connection: Connection): Promise<ConnectedAccount | 'back'> {
  const { cx, offer, opened } = connection
  if (opened && answers(connection, opened)) return opened
  let last: string | undefined
  const onUri = (uri: string) => {
    last = uri
  }
  for (;;) {
    try {
      return await scan(connection, onUri)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (toKitError(cause).code !== 'wallet_timeout') throw cause
      // Nobody has refused anything, so a person who was slow gets a new address.
      const mobile = isMobile(cx.page.userAgent)
      const props = { wallet: offer.meta, uri: last, mobile, installUrl: offer.installUrl, expired: true }
      if ((await cx.stage.ask(walletConnectCode, props)) === 'back') return 'back'
    }
  }
}

/** One address, until it is used or has expired. */
async function scan(
  connection: Connection,
  onUri: (uri: string) => void,
): Promise<ConnectedAccount | 'back'> {
  const { cx, offer } = connection
  const { stage, page } = cx
  const external = await cx.wallets.external()
  const mobile = isMobile(page.userAgent)
  const left = new AbortController()
  let uri: string | undefined
  let renew = () => {}
  const paired = external
    .connect(offer, {
      signal: AbortSignal.any([stage.signal, left.signal]),
      onUri(next) {
        uri = next
        onUri(next)
        renew()
      },
    })
    .then((account) => ({ account }))
  paired.catch(() => {})
  try {
    for (;;) {
      const renewed = new Promise<'renewed'>((resolve) => {
        renew = () => resolve('renewed')
      })
      const outcome = await Promise.race([
        paired,
        renewed,
        stage.ask(walletConnectCode, {
          wallet: offer.meta,
          uri,
          mobile,
          installUrl: offer.installUrl,
          links: uri === undefined ? undefined : walletConnectLinks(offer.meta.id, uri),
        }),
      ])
      if (outcome === 'renewed') continue
      if (typeof outcome !== 'object') return 'back'
      connection.opened = outcome.account
      return outcome.account
    }
  } finally {
    left.abort()
  }
}

/** People who only declined to sign need not scan another code. */
const answers = ({ failed }: Connection, { connector, address }: ConnectedAccount) =>
  !['wallet_timeout', 'wallet_disconnected'].includes(failed ?? '') &&
  connector.accounts.get().some((open) => open.address === address)

/**
 * The wallet is not installed: its own page offers it. A page finds a new extension only when it is reloaded.
 */
async function install({ cx, offer }: Connection): Promise<'back'> {
  const { stage, page } = cx
  const { installUrl } = offer
  if (!installUrl)
    throw new KitError('wallet_not_installed', `${offer.meta.name} is not installed`, { retryable: true })
  let step: 'install' | 'help' = 'install'
  for (;;) {
    const answer = await stage.ask(installWallet, { wallet: offer.meta, installUrl, step })
    if (answer === 'help') step = 'help'
    else if (answer === 'installed') {
      page.reload()
      await cx.clock.sleep(walletsLimits.leavingPage, stage.signal)
    } else if (step === 'help') step = 'install'
    else return 'back'
  }
}

/**
 * On a phone the wallet has its own browser, which opens this page again. It is a device of its own: a user who is logged in here
 * logs in there as well, since no session leaves its cookie.
 */
async function browse({ cx, offer, purpose }: Connection): Promise<'back'> {
  const { universal, native } = browseLinks(offer.meta.id, {
    address: cx.page.address(),
    connector: offer.chainType === 'solana' ? 'solana_adapter' : 'injected',
    client: offer.meta.id,
    connectOnly: purpose !== 'log-in',
  })
  if (!universal) throw new KitError('wallet_not_available', `${offer.meta.name} can't be opened from here`)
  return cx.stage.ask(openInWallet, { wallet: offer.meta, links: { native, universal } })
}

/** What a failure means; after two retries there is no third. */
export const verdictOf =
  (connection: Connection) =>
  (error: KitError): Verdict => {
    connection.failed = error.code
    return walletVerdict(connection.offer.meta.name, connection.retries)(error)
  }

/** Shows a failure on the connection's screen. */
export const failedConnection =
  (connection: Connection): ShowFailure =>
  async ({ title, detail, retryable }) => {
    const { stage } = connection.cx
    const action = retryable ? ('retry' as const) : ('other' as const)
    const props = { ...shown(connection), state: 'failed' as const, title, detail, action }
    const answer =
      retryable && isOneChainOnly(connection)
        ? await stage.ask(walletLoginFailed, { wallet: connection.offer.meta })
        : await stage.ask(awaitingConnection, props)
    if (answer === 'retry') connection.retries++
    return answer === 'retry' || answer === 'close' ? answer : 'back'
  }

/** Phantom opens no Ethereum account if somebody has switched its other chains off. */
const isOneChainOnly = ({ offer, failed }: Connection) =>
  offer.meta.id === 'phantom' &&
  offer.chainType === 'ethereum' &&
  ['generic_connect_wallet_error', 'wallet_no_accounts', 'unsupported_method'].includes(failed ?? '')

/**
 * Switches an Ethereum wallet to a chain of the app. If the person declines, any chain will do to prove who
 * they are.
 */
export async function onKnownChain(
  connection: Connection,
  account: ConnectedAccount,
): Promise<ConnectedAccount | 'back'> {
  const { cx, purpose } = connection
  if (account.chainType !== 'ethereum') return account
  const { supportedChainIds, defaultChainId } = await loadChains()
  const current = Number(account.chainId.split(':')[1])
  if (supportedChainIds(cx.config).includes(current)) return account
  const props = { ...shown(connection), purpose, state: 'switching' as const }
  const outcome = await cx.stage.askDuring(awaitingConnection, props, (signal) =>
    account.connector
      .switchChain(defaultChainId(cx.config), signal)
      .catch((cause: unknown) => cx.report(toKitError(cause, 'generic_connect_wallet_error'))),
  )
  if ('answer' in outcome) return 'back'
  const external = await cx.wallets.external()
  const same = ({ address, connector }: ConnectedAccount) =>
    address === account.address && connector === account.connector
  return external.connected.get().find(same) ?? account
}

/** A success stays on the screen for its time. */
export async function showDone(connection: Connection, span: number): Promise<void> {
  const { stage } = connection.cx
  await stage.hold(awaitingConnection, { ...shown(connection), state: 'done' }, span)
}
