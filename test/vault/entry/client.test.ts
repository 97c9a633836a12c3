import { expect, test } from 'vitest'
import { createContext } from '../../../src/vault/create-context.ts'
import { readClient } from '../../../src/vault/entry/client.ts'
import { createDevice, partsOf, quickClock, settings } from '../support/device.ts'

test('the client and the analytics id of the page are read from the address of its frame', () => {
  expect(readClient('?caid=5f9c-1&client_id=client-open-1')).toEqual({
    clientId: 'client-open-1',
    analyticsId: '5f9c-1',
  })
  expect(readClient('?caid=&client_id=')).toEqual({})
})

test('nothing that could not be such an id becomes a header', () => {
  for (const text of ['a b', 'a\r\nx: y', 'é', 'x'.repeat(129), '<a>'])
    expect(readClient(`?${new URLSearchParams({ caid: text, client_id: text })}`)).toEqual({})
})

test.each([
  [{ clientId: 'client-1', analyticsId: 'a-1' }, ['client-1', 'a-1']],
  [undefined, [null, null]],
])('the vault’s calls, logins too, name the client as the page’s own do: %o', async (client, named) => {
  const seen: Headers[] = []
  const cx = createContext({
    settings,
    clock: quickClock,
    ...partsOf(createDevice()),
    ...(client && { client }),
    async fetch(_, init) {
      seen.push(new Headers(init?.headers))
      return Response.json({})
    },
  })
  await cx.api(undefined, '/devices', {})
  await cx.logIn('/passwordless/init', {}, undefined)
  expect(seen.map((headers) => [headers.get('privy-client-id'), headers.get('privy-ca-id')])).toEqual([
    ...[named, named],
  ])
})
