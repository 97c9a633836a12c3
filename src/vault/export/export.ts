import { TimedOut } from '../../lib/clock.ts'
import type { FrameFailure } from '../../protocol/frame/messages.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import { noteExport, redeemTicket } from '../server/export.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { readTokenOf, type Token } from '../token.ts'
import { readColors } from './colors.ts'
import { element } from './dom.ts'
import { drawCompactOffer, drawOffer, type Offer } from './offer.ts'
import { connectToPage, type PageConnection } from './page-connection.ts'
import type { Proving } from './present.ts'
import { type ExportRequest, readExportRequest } from './request.ts'
import { checkWallet, pathText, secretText } from './secret.ts'
import { style } from './style.ts'
import { themeOf } from './theme.ts'
import { words } from './words.ts'

/**
 * Shows a person the key of one wallet, in the vault's own page: the page around it gives the login and hears that
 * something was shown, and never what.
 */
export async function runExport(window: Window, fragment: string, cx: VaultContext): Promise<void> {
  const { search, pathname } = window.location
  const request = readExportRequest(search, fragment)
  applyTheme(window, request)
  if (typeof request === 'string') {
    if (request === 'token') window.history.replaceState(null, '', pathname)
    return put(window, failureNode(window, request === 'token' ? words.tokenInAddress : words.invalidAddress))
  }
  put(window, element(window.document, 'p', { class: 'status', role: 'status', text: words.waiting }))
  let connection: PageConnection | undefined
  try {
    if ('ticket' in request.credential)
      connection = await connectToPage(window, cx.settings.allowedOrigins, cx.clock)
    const compact = connection === undefined && window.innerHeight < vaultLimits.compactHeight
    const draw = (drawn: HTMLElement) => {
      put(window, drawn)
      if (!connection) return
      reportHeight(drawn, connection)
      connection.send({ type: 'ready' })
    }
    const offer = await openOffer(cx, request, connection, async (proving) => {
      const { provePassword } = await import('./present.ts')
      await provePassword(window, cx, {
        ...proving,
        draw(form) {
          form.classList.toggle('compact', compact)
          draw(form)
        },
      })
    })
    const { ended } = offer
    ended.addEventListener('abort', () => {
      put(window, failureNode(window, words.loggedOut))
      connection?.send({ type: 'failed', error: { type: 'error', message: words.loggedOut } })
    })
    ended.throwIfAborted()
    draw(compact ? drawCompactOffer(window, cx.clock, offer) : drawOffer(window, cx.clock, offer))
  } catch (cause) {
    const error = toFailure(cause)
    put(
      window,
      failureNode(window, error.type === 'wallet_not_on_device' ? words.notOnDevice : error.message),
    )
    connection?.send({ type: 'failed', error })
  }
}

/** Sees that the login is good for this, and that the wallet can be put together here, before anything is drawn. */
async function openOffer(
  cx: VaultContext,
  request: ExportRequest,
  connection: PageConnection | undefined,
  prove: (proving: Omit<Proving, 'draw'>) => Promise<void>,
): Promise<Offer> {
  if (!globalThis.crypto?.subtle)
    throw new VaultError('error', 'Embedded wallet is only available over HTTPS')
  // A page can mask this frame. In a strict app a key is shown in the vault's own window.
  if (cx.settings.vault === 'strict') throw new VaultError('error', words.ownWindow)
  const { root, credential, address, path } = request
  const login = () =>
    currentToken(cx, 'token' in credential ? credential.token : (connection?.accessToken ?? ''))
  const ended = endOf(cx, login().user)
  // A compatible client has no ticket, and the server notes the export all the same.
  const note = () =>
    'ticket' in credential
      ? redeemTicket(cx, login(), credential.ticket, address)
      : noteExport(cx, login(), address)
  await note().catch(async (cause: unknown) => {
    if (!(cause instanceof VaultError && cause.code === 'recovery_proof_required')) throw cause
    await prove({ root, address, login, ended })
    await note()
  })
  const kind = await withDeviceRoot(
    cx,
    login(),
    root,
    async (open) => {
      await checkWallet(open, request)
      return open.kind
    },
    { fresh: true },
  )
  const exported = (what: 'key' | 'phrase', how: 'shown' | 'copied') =>
    connection?.send({ type: 'exported', what, how })
  return {
    address,
    path: kind === 'entropy' ? pathText(path) : undefined,
    phrase: kind === 'entropy' && request.phrase,
    async read(what) {
      const text = await withDeviceRoot(cx, login(), root, (open) => secretText(open, request, what))
      ended.throwIfAborted()
      return text
    },
    ended,
    exported,
  }
}

/** Aborted when this person logs out, in whatever page of the vault that is heard of. */
function endOf(cx: VaultContext, user: string): AbortSignal {
  const end = new AbortController()
  const stop = cx.logouts.onLogout((who) => {
    if (who !== user) return
    stop()
    cx.releases.forget(user)
    end.abort(new VaultError('error', words.loggedOut))
  })
  return end.signal
}

/** The token, as long as it is good. */
const currentToken = (cx: VaultContext, text: string): Token => readTokenOf(cx, text)

/** Only our own words leave the vault: a library's message could quote what it worked on. */
function toFailure(cause: unknown): FrameFailure {
  if (cause instanceof TimedOut) return { type: 'error', message: words.noPage }
  if (cause instanceof VaultError) return { type: cause.type, message: cause.message }
  return { type: 'error', message: words.failed }
}

/** The sheet, and the host's theme as numbers of our own: no text of the address gets into it. */
function applyTheme(window: Window, request: ReturnType<typeof readExportRequest>): void {
  const { document } = window
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  if (typeof request === 'string') return
  const theme = {
    ...themeOf(readColors(request.colors, document)),
    ...(request.width && { '--width': request.width }),
  }
  for (const [name, value] of Object.entries(theme)) document.documentElement.style.setProperty(name, value)
}

const put = ({ document }: Window, node: Node) => document.body.replaceChildren(node)
const failureNode = ({ document }: Window, text: string) => element(document, 'p', { role: 'alert', text })

function reportHeight(drawn: HTMLElement, connection: Pick<PageConnection, 'send'>): void {
  new ResizeObserver(() =>
    connection.send({ type: 'height', height: drawn.getBoundingClientRect().height }),
  ).observe(drawn)
}
