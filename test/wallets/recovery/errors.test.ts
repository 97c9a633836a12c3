import { describe, expect, test } from 'vitest'
import { KitError } from '../../../src/errors/kit-error.ts'
import { driveVerdict } from '../../../src/wallets/recovery/errors.ts'

describe('what a person reads when their drive was of no use', () => {
  const detailOf = (code: string) => {
    const { detail } = driveVerdict('back-up', 'Google Drive')(new KitError(code, ''))
    return 'key' in detail ? detail.key : undefined
  }

  test('names the account where it may be the wrong one, also for what nobody knows', () => {
    for (const code of ['embedded_wallet_recovery_error', 'unknown_embedded_wallet_error', 'constructor'])
      expect(detailOf(code)).toBe('error.drive.account')
  })

  test('does not blame the account for a wallet or a server that can’t be reached', () => {
    expect(detailOf('network_unavailable')).toBe('error.network.detail')
    expect(detailOf('vault_unavailable')).toBe('error.wallet.blocked')
    for (const code of ['vault_timeout', 'vault_crashed'])
      expect(detailOf(code)).toBe('error.wallet.unreachable')
  })

  test('offers no other try with a way that the app does not have', () => {
    const verdict = driveVerdict('back-up', 'Google Drive')
    expect(verdict(new KitError('disallowed_recovery_method', '')).retryable).toBe(false)
    expect(verdict(new KitError('popup_closed', '')).retryable).toBe(true)
  })
})
