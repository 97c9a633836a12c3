import { isMobile } from '../../core/device.ts'
import { limits } from '../../core/limits.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import { walletVerdict } from '../../errors/wallet-connection.ts'
import { awaitingConnection } from '../../screens/connect/awaiting-connection.tsx'
import { installWallet } from '../../screens/connect/install-wallet.tsx'
import { openInWallet } from '../../screens/connect/open-in-wallet.tsx'
import { walletConnectCode } from '../../screens/connect/wallet-connect.tsx'
import { walletLoginFailed } from '../../screens/connect/wallet-login-failed.tsx'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { browseLinks } from '../../wallets/registry/browse.ts'
import { walletConnectLinks } from '../../wallets/registry/links.ts'
import { unlessAnswered } from '../leavable.ts'
import type { ShowFailure } from '../login/gates.ts'
import type { Connection } from './context.ts'

/** What every screen of a connection shows. */
export const shown = ({ cx: { config }, offer, purpose }: Connection) => ({
  wallet: offer.meta,
  app: { name: config.appName, logoUrl: config.logoUrl },
  purpose,
})

/** Opens a wallet, the way by which it can be reached. Resolves with `'back'` when the person turns back. */
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
  const outcome = await unlessAnswered(cx.stage, awaitingConnection, props, (signal) =>
    external.connect(offer, { signal }),
  )
  return 'done' in outcome ? outcome.done : 'back'
}

/**
 * The wallet is elsewhere: it finds this page by an address, which stands there as a code to scan or as a link to tap,
 * and is made anew when it has become old.
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
      // Nobody has refused anything: a person who was slow gets another one.
      const mobile = isMobile(cx.page.userAgent)
      const props = { wallet: offer.meta, uri: last, mobile, installUrl: offer.installUrl, expired: true }
      if ((await cx.stage.ask(walletConnectCode, props)) === 'back') return 'back'
    }
  }
}

/** One address, until it has been used or is too old. */
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
          ...{ wallet: offer.meta, uri, mobile, installUrl: offer.installUrl },
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

/** Whoever only declined to sign need not scan another code. */
const answers = ({ failed }: Connection, { connector, address }: ConnectedAccount) =>
  !['wallet_timeout', 'wallet_disconnected'].includes(failed ?? '') &&
  connector.accounts.get().some((open) => open.address === address)

/** The wallet is not here: its own page has it. A page finds a new extension only when it is loaded again. */
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
      await cx.clock.sleep(limits.leavingPage, stage.signal)
    } else if (step === 'help') step = 'install'
    else return 'back'
  }
}

/**
 * On a phone the wallet has a browser of its own, which opens this page anew and goes on there. Somebody who is logged
 * in here takes that along, as a token that is good once and soon over (wire 6.4), so the link is made anew in time.
 */
async function browse({ cx, offer, purpose }: Connection): Promise<'back'> {
  const { stage, page, clock, session } = cx
  for (;;) {
    const token =
      purpose !== 'log-in' && session.user.get()
        ? await session.fork({ signal: stage.signal }).catch(() => undefined)
        : undefined
    const links = browseLinks(offer.meta.id, {
      address: page.address(),
      connector: offer.chainType === 'solana' ? 'solana_adapter' : 'injected',
      client: offer.meta.id,
      ...(token === undefined ? { connectOnly: purpose !== 'log-in' } : { token }),
    })
    if (!links.universal)
      throw new KitError('wallet_not_available', `${offer.meta.name} can't be opened from here`)
    const shownLinks = { native: links.native, universal: links.universal }
    const outcome = await unlessAnswered(
      stage,
      openInWallet,
      { wallet: offer.meta, links: shownLinks },
      (signal) =>
        token === undefined ? new Promise<never>(() => {}) : clock.sleep(limits.walletTokenRenewal, signal),
    )
    if ('answer' in outcome) return 'back'
  }
}

/** What a failure means; after two more tries there is no third. Spec §4 "Wallet connection". */
export const verdictOf =
  (connection: Connection) =>
  (error: KitError): Verdict => {
    connection.failed = error.code
    return walletVerdict(connection.offer.meta.name, connection.retries)(error)
  }

/** Draws a failure where the connection is drawn. */
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

/** Phantom opens no Ethereum account where somebody has switched its other chains off. Spec §2 "login-failed screen". */
const isOneChainOnly = ({ offer, failed }: Connection) =>
  offer.meta.id === 'phantom' &&
  offer.chainType === 'ethereum' &&
  ['generic_connect_wallet_error', 'wallet_no_accounts', 'unsupported_method'].includes(failed ?? '')

/**
 * Sees that an Ethereum wallet is on a chain of the app. Whoever declines stays where they are: to say who one is, any
 * chain will do.
 */
export async function onKnownChain(
  connection: Connection,
  account: ConnectedAccount,
): Promise<ConnectedAccount | 'back'> {
  const { cx, purpose } = connection
  if (account.chainType !== 'ethereum') return account
  const { supportedChainIds, defaultChainId } = await import('../../chains/chains.ts')
  const current = Number(account.chainId.split(':')[1])
  if (supportedChainIds(cx.config).includes(current)) return account
  const props = { ...shown(connection), purpose, state: 'switching' as const }
  const outcome = await unlessAnswered(cx.stage, awaitingConnection, props, (signal) =>
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
