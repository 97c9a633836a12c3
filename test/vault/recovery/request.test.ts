import { describe, expect, test } from 'vitest'
import type { RecoveryData } from '../../../src/protocol/frame/calls.ts'
import { parseRecoveryRequest } from '../../../src/vault/recovery/request.ts'

const key = 'k'.repeat(32)
const native = { recoverySecretOverride: key, iCloudRecordNameOverride: 'record-1' }
const invalid = { type: 'invalid_request_arguments' }
const failureOf = (method: string | undefined, data: RecoveryData) => {
  try {
    return parseRecoveryRequest(method, data)
  } catch (cause) {
    return cause
  }
}

describe('a recovery method that is wished for', () => {
  test.each<[string | undefined, RecoveryData, object]>([
    [undefined, {}, { method: 'privy' }],
    ['privy', {}, { method: 'privy' }],
    ['user-passcode', { recoveryPassword: 'secret' }, { method: 'user-passcode', password: 'secret' }],
    [undefined, { recoveryPassword: 'secret' }, { method: 'user-passcode', password: 'secret' }],
    [undefined, { recoveryKey: key }, { method: 'recovery-encryption-key', key }],
    ['recovery-encryption-key', { recoveryKey: key }, { method: 'recovery-encryption-key', key }],
    ['google-drive', { recoveryAccessToken: 't' }, { method: 'google-drive', accessToken: 't' }],
    ['icloud', { recoveryAccessToken: 't+/=' }, { method: 'icloud', accessToken: 't+/=' }],
    ['icloud', native, { method: 'icloud', secret: key, recordName: 'record-1' }],
    ['icloud-native', native, { method: 'icloud', secret: key, recordName: 'record-1' }],
  ])('%s with %j', (method, data, wish) => {
    expect(parseRecoveryRequest(method, data)).toEqual(wish)
  })

  test('may come among the other fields of its request', () => {
    const request = { accessToken: 'a', entropyId: 'b', recoveryMethod: 'privy', recoveryPassword: undefined }
    expect(parseRecoveryRequest('privy', request)).toEqual({ method: 'privy' })
  })

  test('a secret that does not belong to the method is refused, because the person would rely on it', () => {
    for (const [method, data] of [
      ['privy', { recoveryPassword: 'secret' }],
      ['privy', { recoveryKey: key }],
      [undefined, { recoveryPassword: 'secret', recoveryKey: key }],
      [undefined, { recoveryAccessToken: 't' }],
      ['google-drive', { recoveryAccessToken: 't', recoveryPassword: 'secret' }],
      ['google-drive', native],
      ['icloud', { recoveryAccessToken: 't', ...native }],
      ['icloud-native', { recoveryAccessToken: 't' }],
    ] as [string | undefined, RecoveryData][])
      expect(failureOf(method, data)).toMatchObject(invalid)
  })

  test('what the method needs is asked for', () => {
    for (const method of [
      'user-passcode',
      'google-drive',
      'icloud',
      'icloud-native',
      'recovery-encryption-key',
    ])
      expect(failureOf(method, {})).toMatchObject(invalid)
    expect(failureOf('icloud', { recoverySecretOverride: key })).toMatchObject(invalid)
  })

  test('a password has 6 to 1,024 characters, and any of them', () => {
    const taken = ['123456', '🗝🗝🗝🗝🗝🗝', ' space ', 'x'.repeat(64), 'x'.repeat(1_024)]
    for (const recoveryPassword of taken)
      expect(parseRecoveryRequest('user-passcode', { recoveryPassword })).toMatchObject({
        password: recoveryPassword,
      })
    // Five keys are ten UTF-16 units; a lone surrogate would be the same password as any other.
    for (const recoveryPassword of ['12345', '🗝🗝🗝🗝🗝', 'x'.repeat(1_025), '12345\uD800'])
      expect(failureOf('user-passcode', { recoveryPassword })).toMatchObject(invalid)
  })

  test('a secret of the host is long, a token fits into a header, a record name into a lookup', () => {
    for (const recoveryKey of ['k'.repeat(15), 'k'.repeat(4_097), `${key}\uDC00`])
      expect(failureOf('recovery-encryption-key', { recoveryKey })).toMatchObject(invalid)
    for (const recoveryAccessToken of ['a b', 'a\r\nx-evil: 1', 'é', 't'.repeat(8_193)])
      expect(failureOf('google-drive', { recoveryAccessToken })).toMatchObject(invalid)
    for (const iCloudRecordNameOverride of ['a b', 'r'.repeat(256)])
      expect(failureOf('icloud-native', { ...native, iCloudRecordNameOverride })).toMatchObject(invalid)
  })

  test('a method that nobody knows is unsupported', () => {
    for (const method of ['carrier-pigeon', '__proto__', 'Privy'])
      expect(failureOf(method, {})).toMatchObject({
        type: 'error',
        message: 'This recovery method is unsupported',
      })
  })
})
