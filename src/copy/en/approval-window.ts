/** Words of what is approved in the vault's own window. */
export const approvalWindow = {
  'approval.window.name': '{app} – Wallet',
  'approval.window.title': 'Continue in a new window',
  'approval.window.risky':
    'This request needs a closer look. You’ll review and approve it in a window of your wallet.',
  'approval.window.browser': 'Your browser shows wallet requests in a window of their own.',
  'approval.window.export':
    'Your private key is shown in a window of your wallet, where no other page can see it.',
  'approval.window.import':
    'You’ll enter your private key in a window of your wallet, where no other page can see it.',
  'approval.window.device': 'You’ll remove a device in a window of your wallet.',
  'approval.window.enrol': 'You’ll confirm that it’s you in a window of your wallet.',
  'approval.window.approve-device': 'You’ll review a new browser in a window of your wallet.',
  'approval.window.vault-passkeys': 'Passkeys for your wallet are added in a window of your wallet.',
  'approval.window.factor': 'You’ll remove a verification method in a window of your wallet.',
  'approval.window.passkeys': 'You’ll confirm your passkeys in a window of your wallet.',
  'approval.window.change': 'You’ll review this change of your account in a window of your wallet.',
  'approval.window.frozen': 'You’ll confirm that it’s you in a window of your wallet.',
  'approval.window.open': 'Continue in a new window',
  'approval.window.blocked': 'Your browser blocked the window. Allow pop-ups for this page, then try again.',
  'approval.waiting.title': 'Waiting for your approval',
  'approval.waiting.text':
    'Review the request in the window that has opened. If you don’t see it, look behind this one.',
  'approval.waiting.show': 'Show the window',
  'approval.ended.over.title': 'This request has ended',
  'approval.ended.over.text': 'You can close this window and go back to the page that you came from.',
  'approval.ended.alone.title': 'Nothing to approve here',
  'approval.ended.alone.text':
    'This window was opened without a request. Go back to the page that you came from and start again.',
} as const
