import { expect, test } from 'vitest'
import { account } from '../../src/copy/en/account.ts'
import { accounts } from '../../src/copy/en/accounts.ts'
import { errors } from '../../src/copy/en/errors.ts'
import { passkey } from '../../src/copy/en/passkey.ts'

/** Written out from the product's specification, so that a change of our words is seen. */
test('the words of linking, updating and transferring are the specification’s', () => {
  const words = { ...account, ...accounts, ...errors, ...passkey }
  expect(words).toMatchObject({
    'account.link.email': 'Link email',
    'account.link.sms': 'Link phone',
    'account.update.email': 'Update email',
    'account.update.sms': 'Update phone',
    'account.link.limit': 'User already has an account of type {name} linked.',
    'account.link.limitPasskeys': 'Cannot link more passkeys to account.',
    'error.passkey.cannotLinkMore': 'Cannot link more passkeys to account.',
    'error.passkey.notAllowed': 'Passkey request timed out or rejected by user.',
    'error.passkey.unknown': 'Unknown error occurred.',
    'error.passkey.unsupported': 'WebAuthn is not supported in this browser',
    'account.conflict.question':
      'Would you like to transfer {account} to this account? This will delete the other account.',
    'error.linked.title': 'Authentication failed',
    'error.linked.detail': 'This account has already been linked to another user.',
    'account.conflict.email': 'This email address is associated with another account',
    'account.conflict.phone': 'This phone number is associated with another account',
    'account.conflict.wallet': 'This wallet address is associated with another account',
    'account.conflict.profile': 'This {kind} profile is associated with another account',
    'account.conflict.transfer': 'Transfer and delete account',
    'account.conflict.decline': 'No thanks',
  })
})
