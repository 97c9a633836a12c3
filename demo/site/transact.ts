/**
 * An app's page on which its users review what other apps ask of their wallets. It is a host page like any other: who asks, and for what, it
 * reads from the API, and the kit has it reviewed as a request of this app's own (docs/cross-app.md).
 */
import type { CrossAppRequest, LoginModal } from '../../src/index.ts'
import {
  api,
  byId,
  end,
  login,
  query,
  say,
  setBusy,
  showName,
  showRequester,
  showUser,
} from './answer-app.ts'
import { networks } from './networks.ts'

const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
/** The only place to which an answer may go. */
const answerPage = `${api}/oauth/transact/answer?`

login.config = networks(login.dataset.networks)

const kinds = {
  message: 'to sign a message',
  'typed-data': 'to sign data',
  transaction: 'to send a transaction',
} as const
const ends: Readonly<Partial<Record<string, string>>> = {
  cross_app_request_over:
    'This request is no longer open. Close this page, go back to the app and try again.',
  account_frozen: 'Your account is frozen. Nothing can be signed with it.',
}

let isOver = false
let isBusy = false

function finish(text: string): void {
  isOver = true
  end(text)
}

function setPageBusy(busy: boolean): void {
  isBusy = busy
  setBusy(busy)
}

function show({ requester, kind }: CrossAppRequest): void {
  showName(requester.name)
  byId('requester-mark').hidden = requester.iconUrl !== undefined
  byId('requester-icon').hidden = requester.iconUrl === undefined
  if (requester.iconUrl) byId<HTMLImageElement>('requester-icon').src = requester.iconUrl
  byId('what').textContent = kinds[kind]
  byId('origin').textContent = requester.origin
  byId('from').hidden = byId('never').hidden = false
}

/** @param canReview whether the user is the one whom the request is for */
function showActions(canReview: boolean): void {
  byId('asking').hidden = byId('actions').hidden = false
  byId('review').hidden = !login.user || !canReview
  showUser()
}

/** Goes on with the user who is logged in now. */
async function proceed(): Promise<void> {
  if (isOver || isBusy) return
  const { kit, user } = login
  if (!kit || !user) {
    byId('from').hidden = byId('never').hidden = true
    say('')
    return showActions(false)
  }
  setPageBusy(true)
  try {
    show(await kit.crossApp.request(asked))
    say('')
    showActions(true)
  } catch (cause) {
    const code = codeOf(cause)
    if (code !== 'cross_app_wrong_user')
      return finish(ends[code] ?? 'That didn’t work. Close this page, and try again.')
    byId('from').hidden = byId('never').hidden = true
    showActions(false)
    return say('This request is for another account of yours. Log in with that one.')
  } finally {
    setPageBusy(false)
  }
  await review()
}

const review = () => answer((kit) => kit.crossApp.respond(asked))

/** Goes to the page that hands the answer over, and closes the window. */
async function answer(work: (kit: NonNullable<LoginModal['kit']>) => Promise<string>): Promise<void> {
  const { kit } = login
  if (!kit || isBusy) return
  setPageBusy(true)
  say('')
  try {
    const url = await work(kit)
    if (!url.startsWith(answerPage)) throw new Error('The answer would go elsewhere')
    return location.replace(url)
  } catch (cause) {
    const text = ends[codeOf(cause)]
    if (text) return finish(text)
    say('That didn’t work. Please try again.')
  }
  setPageBusy(false)
}

const codeOf = (cause: unknown) => (cause as { code?: string }).code ?? ''

byId('review').addEventListener('click', () => void review())
byId('disconnect').addEventListener(
  'click',
  () => void answer((kit) => kit.crossApp.decline(asked, { disconnect: true })),
)
byId('cancel').addEventListener('click', () => {
  // A user who can't answer closes the window: the app that asks takes that for a rejection.
  if (byId('review').hidden) window.close()
  else void answer((kit) => kit.crossApp.decline(asked))
})
byId('log-in').addEventListener('click', () => login.login().catch(() => {}))
byId('switch').addEventListener('click', () => void login.logout())

if (!asked.id || !asked.appId)
  end('This page is opened by an app that wants your wallet to sign. There is nothing to do here by itself.')
else if (await showRequester(asked.appId)) {
  await login.load()
  await login.kit?.whenReady().catch(() => {})
  login.addEventListener('lk-user', () => void proceed())
  await proceed()
}
