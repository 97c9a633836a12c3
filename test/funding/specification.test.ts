/** Words and numbers that the specification fixes for funding. */
import { expect, test } from 'vitest'
import { funding } from '../../src/copy/en/funding.ts'
import { fundingLimits } from '../../src/funding/limits.ts'

test.each([
  ['funding.title', 'Add funds to your {wallet} wallet'],
  ['funding.card', 'Pay with card'],
  ['funding.exchange', 'Transfer from an exchange'],
  ['funding.card.other', 'Try a different provider'],
  ['funding.amount.title', 'Confirm or edit amount'],
  ['funding.purchase.title', 'Fund account'],
  ['funding.purchase.inProgress', 'In Progress'],
  ['funding.purchase.processing', 'Processing payment'],
  [
    'funding.purchase.processing.text',
    'This may take up to a few hours. You will receive an email when the purchase is complete.',
  ],
  ['funding.purchase.done', "You've funded your account!"],
  ['funding.purchase.done.text', 'It may take a few minutes for the assets to appear.'],
  ['funding.purchase.blocked', 'Unable to initialize flow'],
  [
    'funding.card.failed.moonpay',
    'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
  ],
  ['funding.card.failed', 'Something went wrong adding funds. Please try again or use another method.'],
  ['funding.card.failed.coinbase', 'There was an error completing Coinbase Onramp flow.'],
  ['funding.card.unsupportedChain', 'Unsupported chainId {chain} for Coinbase Onramp'],
] as const)('specification: %s is verbatim', (key, words) => {
  expect(funding[key]).toBe(words)
})

test('specification: the status is asked for at the intervals of each provider', () => {
  expect(fundingLimits.purchasePace).toMatchObject({
    moonpay: { first: 8_000, every: 3_000 },
    'coinbase-onramp': { first: 5_000, every: 1_500 },
  })
  expect(fundingLimits.purchaseErrors).toBe(3)
  expect(fundingLimits.windowClosures).toBe(3)
})
