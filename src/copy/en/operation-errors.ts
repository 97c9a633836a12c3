/** Words of failures of smart accounts: what bundlers, sponsors and accounts refuse. */
export const operationErrors = {
  'error.operation.title': "The transaction couldn't be sent",
  'error.operation.invalid': "The network's service couldn't read the transaction. Nothing was sent.",
  'error.operation.account': 'Your smart wallet refused the transaction. Nothing was sent.',
  'error.operation.paymaster': "The sponsor's contract refused to pay the network fee. Nothing was sent.",
  'error.operation.opcode':
    "The transaction does something that the network's service doesn't allow. Nothing was sent.",
  'error.operation.time': 'The transaction was approved too late, or too early. Try again.',
  'error.operation.throttled':
    'There were too many transactions in a short time. Wait a moment, then try again.',
  'error.operation.stake':
    "A contract of this transaction isn't trusted by the network's service. Nothing was sent.",
  'error.operation.aggregator':
    "The network's service doesn't support how your smart wallet signs. Nothing was sent.",
  'error.operation.signature': "Your smart wallet didn't accept the signature. Nothing was sent.",
  'error.operation.sponsorFunds': 'The sponsor has too little left to pay the network fee. Nothing was sent.',
  'error.operation.reverted': 'The transaction would fail on the network, so it was not sent.',
  'error.operation.deployed': 'Your smart wallet was set up in the meantime. Try again.',
  'error.operation.nonce': 'Another transaction of your smart wallet came first. Try again.',
  'error.operation.pending':
    'Another transaction of your smart wallet is still being confirmed. Try again in a moment.',
  'error.operation.funds': 'Your smart wallet has too little to pay the network fee.',
  'error.operation.unavailable': "The network's service didn't respond. Try again.",
  'error.operation.answer': "The network's service gave an answer that can't be right.",
  'error.operation.declined': "The app's sponsor doesn't pay for this transaction.",
  'error.operation.sponsorUnavailable': "The app's sponsor didn't respond. Try again.",
  'error.operation.sponsorAnswer': "The app's sponsor gave an answer that can't be right.",
  'error.operation.network': "This kind of smart wallet isn't available on this network.",
  'error.operation.notDelegated': "This wallet isn't set up as a smart wallet on this network yet.",
  'error.operation.otherHash':
    "The network's service named another transaction than yours. Yours may still be carried out: look at your activity before you try again.",
  'error.operation.rejected': "The network's service refused the transaction. Nothing was sent.",
} as const
