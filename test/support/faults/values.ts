/** JSON values that no request of ours expects as its result, from a server, a frame or a popup. */
export const wrongValues: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 7,
  'a string': 'no',
  'an array': [1, 2, 3],
  'an object without its fields': {},
  'fields of another type': {
    ...{ user: 7, token: {}, url: [], nonce: null, ticket: 4, id: {}, options: 1, state: false },
    ...{ address: 7, entropyId: {}, response: 'no', recoveryMethod: [] },
    ...{ ckSession: 7, stateCode: {}, authorizationCode: [], result: {}, error: 7 },
  },
  'keys that reach for a prototype': JSON.parse(
    '{"__proto__":{"user":{},"token":"x","url":"x","entropyId":"x"},"constructor":{"prototype":{}}}',
  ),
}
