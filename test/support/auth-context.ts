import { memoryStorage } from '../../src/lib/storage.ts'
import { createStore } from '../../src/lib/store.ts'
import type { FlowState } from '../../src/login/flow-state.ts'
import type { Purpose } from '../../src/login/purpose.ts'
import type { AuthContext } from '../../src/login/service-context.ts'
import { createHttp, type Http } from '../../src/protocol/http.ts'
import { parse } from '../../src/protocol/schema.ts'
import { sessionAnswer } from '../../src/protocol/sessions.ts'
import { createSession } from '../../src/session/session.ts'
import { createTokens } from '../../src/session/tokens.ts'
import { appId, type Call, fakeApi, makeToken, type Reply, sessionBody, wireUser } from './api.ts'
import { testClock } from './clock.ts'
import { testPage } from './page.ts'
import { browserTabs } from './tabs.ts'

/** What a way to log in works with, for what no screen and no headless call reaches. */
export async function authContext({
  accounts = [],
  routes = {},
  page = testPage(),
  purpose = { kind: 'login' },
}: {
  /** The person's linked accounts, before and after the login. */
  accounts?: object[]
  routes?: Record<string, Reply | Reply[] | ((call: Call) => Reply)>
  page?: ReturnType<typeof testPage>
  /** What becomes of the accounts that the person proves. */
  purpose?: Purpose
} = {}) {
  const clock = testClock()
  const storage = memoryStorage()
  const user = wireUser('did:privy:u1', { linked_accounts: accounts })
  const answer = await sessionBody(clock, { user })
  const api = fakeApi(clock, {
    '/api/v1/users/me': { body: { user, identity_token: await makeToken(clock) } },
    '/api/v1/sessions': { body: answer },
    ...routes,
  })
  const tokens = createTokens({ appId, storage, clock })
  const tab = browserTabs().open()
  const session = createSession({ tokens, shared: tab, tabs: tab, http: () => http, clock })
  const http: Http = createHttp({
    base: 'https://api.example',
    appId,
    clientId: undefined,
    fetch: api.fetch,
    clock,
    analyticsId: () => '',
    tokens: () => session,
  })
  const entered: unknown[][] = []
  const cx = {
    appId,
    session,
    clock,
    storage,
    page,
    purpose,
    tabStorage: memoryStorage(),
    http: () => http,
    state: () => createStore<FlowState>({ status: 'initial' }),
    onLogin: (...told: unknown[]) => void entered.push(told),
    track() {},
  } as unknown as AuthContext
  const enter = () => session.authenticate(parse(sessionAnswer, answer, 'test'))
  return { cx, api, clock, session, entered, enter, user }
}
