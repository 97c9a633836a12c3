/**
 * Words of what is approved in the vault's own window. Each purpose has its title, a sentence about what happens in the window, a label
 * for what is at stake, and what has happened once it is done.
 */
export const approvalWindow = {
  'approval.window.name': '{title} – {app}',
  'approval.window.app': 'App',

  'approval.window.message.title': 'Review this message',
  'approval.window.message.text':
    "This message isn't plain text. You'll review and sign it in a window of your wallet.",
  'approval.window.message.stake': 'Wallet',
  'approval.window.message.done': 'The message was signed.',
  'approval.window.typed-data.title': 'Review this signature',
  'approval.window.typed-data.text':
    "This signature may allow others to act for you. You'll review and sign it in a window of your wallet.",
  'approval.window.typed-data.stake': 'Wallet',
  'approval.window.typed-data.done': 'The request was signed.',
  'approval.window.transaction.title': 'Review this transaction',
  'approval.window.transaction.text':
    "This transaction can move what you own. You'll review and approve it in a window of your wallet.",
  'approval.window.transaction.stake': 'Amount',
  'approval.window.transaction.done': 'The transaction was signed.',
  'approval.window.account-change.title': 'Confirm this change',
  'approval.window.account-change.text':
    "Your account is about to change. You'll review and confirm that in a window of your wallet.",
  'approval.window.account-change.stake': 'Account',
  'approval.window.account-change.done': 'Your account was changed.',
  'approval.window.unfreeze.title': 'Unlock your account',
  'approval.window.unfreeze.text':
    "Your account is frozen. You'll show that it's yours in a window of your wallet.",
  'approval.window.unfreeze.stake': 'Account',
  'approval.window.unfreeze.done': 'Your account is open again.',
  'approval.window.password.title': 'Set your recovery password',
  'approval.window.password.text':
    "You'll choose your password in a window of your wallet, where no other page can read it.",
  'approval.window.password.stake': 'Wallet',
  'approval.window.password.done': 'Your recovery password is set.',
  'approval.window.recovery.title': 'Change wallet recovery',
  'approval.window.recovery.text':
    "You'll choose how you get your wallet back, in a window of your wallet that no other page can read.",
  'approval.window.recovery.stake': 'Wallet',
  'approval.window.recovery.done': 'Your recovery method is set.',
  'approval.window.recover.title': 'Recover your wallet',
  'approval.window.recover.text':
    "You'll get your wallet back in a window of your wallet that no other page can read.",
  'approval.window.recover.stake': 'Wallet',
  'approval.window.recover.done': 'Your wallet is on this device.',
  'approval.window.create.title': 'Create your wallet',
  'approval.window.create.text':
    "You'll confirm where your recovery file is kept, in a window of your wallet.",
  'approval.window.create.stake': 'Recovery',
  'approval.window.create.done': 'Your wallet was created.',
  'approval.window.export.title': 'Export your private key',
  'approval.window.export.text':
    'Your private key is shown in a window of your wallet, where no other page can see it.',
  'approval.window.export.stake': 'Wallet',
  'approval.window.export.done': 'Your private key was shown.',
  'approval.window.import.title': 'Import a private key',
  'approval.window.import.text':
    "You'll enter your private key in a window of your wallet, where no other page can see it.",
  'approval.window.import.stake': 'Network',
  'approval.window.import.done': 'Your wallet was imported.',
  'approval.window.permission.title': 'Enable delegated actions',
  'approval.window.permission.text':
    "A server wants to act with your wallet without asking each time. You'll review what it may do in a window of your wallet.",
  'approval.window.permission.stake': 'Wallet',
  'approval.window.permission.done': 'Delegated actions are on.',
  'approval.window.device.title': 'Remove a device',
  'approval.window.device.text':
    "The device will no longer be able to use your wallets. You'll confirm that in a window of your wallet.",
  'approval.window.device.stake': 'Device',
  'approval.window.device.done': 'The device was removed.',
  'approval.window.enrolment.title': 'Confirm this device',
  'approval.window.enrolment.text':
    "You'll show that this device is yours, in a window of your wallet. Until then it can't use your wallets.",
  'approval.window.enrolment.stake': 'Wallet',
  'approval.window.enrolment.done': 'This device can use your wallets.',
  'approval.window.approve-device.title': 'Approve a new device',
  'approval.window.approve-device.text':
    "A new device wants to use your wallets. You'll compare a number in a window of your wallet.",
  'approval.window.approve-device.stake': 'Device',
  'approval.window.approve-device.done': 'You answered the new device.',
  'approval.window.factors.title': 'Set up two-step verification',
  'approval.window.factors.text':
    "You'll add a verification method in a window of your wallet, where no other page can see your codes.",
  'approval.window.factors.stake': 'Method',
  'approval.window.factors.done': 'Your verification methods were changed.',
  'approval.window.factor.title': 'Remove a verification method',
  'approval.window.factor.text':
    "Your wallet will no longer ask for it. You'll confirm that in a window of your wallet.",
  'approval.window.factor.stake': 'Method',
  'approval.window.factor.done': 'The verification method was removed.',
  'approval.window.passkeys.title': 'Confirm your passkeys',
  'approval.window.passkeys.text':
    "They will be able to verify you. You'll confirm that they are yours in a window of your wallet.",
  'approval.window.passkeys.stake': 'Passkeys',
  'approval.window.passkeys.done': 'Your passkeys can verify you.',
  'approval.window.recovery-passkey.title': 'Add a recovery passkey',
  'approval.window.recovery-passkey.text':
    "You'll add a passkey in a window of your wallet. It lets you use your wallets on a new device.",
  'approval.window.recovery-passkey.stake': 'Wallet',
  'approval.window.recovery-passkey.done': 'Your passkey was added.',
  'approval.window.recovery-codes.title': 'Get new recovery codes',
  'approval.window.recovery-codes.text':
    'Your codes are shown in a window of your wallet, where no other page can see them.',
  'approval.window.recovery-codes.stake': 'Codes',
  'approval.window.recovery-codes.done': 'You have new recovery codes.',
  'approval.window.verify.title': "Verify it's you",
  'approval.window.verify.text': "You'll verify that it's you in a window of your wallet.",
  'approval.window.verify.stake': 'Method',
  'approval.window.verify.done': 'You were verified.',

  'approval.window.browser': 'Your browser shows wallet requests in a window of their own.',
  'approval.window.room': "There isn't enough room here to show everything.",
  'approval.window.open': 'Continue in a new window',
  'approval.window.again': 'Open again',
  'approval.window.blocked': 'Your browser blocked the window. Allow pop-ups for this page, then try again.',
  'approval.window.closed': 'The window was closed before you finished. Nothing has changed.',
  'approval.window.late': "The window didn't load. Check your connection, then open it again.",

  'approval.waiting.opening': 'Opening the window',
  'approval.waiting.text':
    "Continue in the window that has opened. If you don't see it, look behind this one.",
  'approval.waiting.behind':
    'Your browser keeps the window in the background. Look for it among your windows and tabs, or open it again.',
  'approval.waiting.finishing': 'Finishing',
  'approval.waiting.finishingText': "This takes a moment and can't be stopped now.",
  'approval.waiting.show': 'Show the window',
  'approval.waiting.again': 'Open again',

  'approval.done.title': 'Done',
  'approval.done.text': 'You can close the window.',
  'approval.done.continue': 'Continue',

  'approval.ended.close': 'Close window',
  'approval.ended.done.title': 'Done. You can close this window',
  'approval.ended.done.text': 'Go back to the page that you came from.',
  'approval.ended.over.title': 'This request has ended',
  'approval.ended.over.text': 'You can close this window and go back to the page that you came from.',
  'approval.ended.left.title': 'This request has ended',
  'approval.ended.left.text':
    'The page that you came from was closed or has changed. Go back to it and start again.',
  'approval.ended.session.title': "You've been logged out",
  'approval.ended.session.text': 'Log in again on the page that you came from, then start again.',
  'approval.ended.moved.title': 'Continue in the other window',
  'approval.ended.moved.text': 'This request was opened again in another window. You can close this one.',
  'approval.ended.reloaded.title': 'This window was reloaded',
  'approval.ended.reloaded.text': 'Go back to the page that you came from and press “Open again”.',
  'approval.ended.alone.title': 'Nothing to approve here',
  'approval.ended.alone.text':
    'This window was opened without a request. Go back to the page that you came from and start again.',
} as const
