/** Fees of tokens that their issuers change with an epoch. */
import { describe, expect, test } from 'vitest'
import { TOKEN_2022_PROGRAM } from '../../src/solana/programs/token-2022.ts'
import { feeOf, readNetworkTime, readTokenRules } from '../../src/solana/token-rules.ts'

const SLOTS = 432_000n
const epoch = 700n

interface Fee {
  readonly from: bigint
  readonly maximum: bigint
  readonly basisPoints: number
}

/** A mint of Token-2022 with the fee of now, and the one that follows. */
function mintWith(older: Fee, newer: Fee): Uint8Array {
  const data = new Uint8Array(166 + 4 + 108)
  const view = new DataView(data.buffer)
  data[165] = 1
  view.setUint16(166, 1, true)
  view.setUint16(168, 108, true)
  for (const [at, fee] of [older, newer].entries()) {
    const place = 170 + 72 + at * 18
    view.setBigUint64(place, fee.from, true)
    view.setBigUint64(place + 8, fee.maximum, true)
    view.setUint16(place + 16, fee.basisPoints, true)
  }
  return data
}

/** The network's clock, so many slots before the end of the epoch. */
function clock(slotsLeft: bigint) {
  const data = new Uint8Array(40)
  const view = new DataView(data.buffer)
  view.setBigUint64(0, (epoch + 1n) * SLOTS - slotsLeft, true)
  view.setBigUint64(16, epoch, true)
  view.setBigInt64(32, 1_800_000_000n, true)
  return readNetworkTime({
    ...{ owner: 'Sysvar1111111111111111111111111111111111111', lamports: 1n, executable: false },
    data,
  })
}

const feeAt = (slotsLeft: bigint, older: Fee, newer: Fee) => {
  const { transferFee } = readTokenRules(
    { owner: TOKEN_2022_PROGRAM, data: mintWith(older, newer) },
    clock(slotsLeft),
  )
  return transferFee && feeOf(1_000_000n, transferFee)
}

const low = { from: 600n, maximum: 5_000n, basisPoints: 100 }
const high = { from: epoch + 1n, maximum: 900_000n, basisPoints: 5_000 }

describe('a token whose fee changes with the next epoch', () => {
  test('has the fee of now while a transaction lands before that', () => {
    expect(feeAt(100_000n, low, high)).toBe(5_000n)
  })
  test('is reviewed with the higher fee minutes before it', () => {
    expect(feeAt(1_000n, low, high)).toBe(500_000n)
    expect(feeAt(1_000n, { ...high, from: 600n }, { ...low, from: epoch + 1n })).toBe(500_000n)
  })
  test('is reviewed with the higher rate and the higher most, where each is another one’s', () => {
    const capped = { from: 600n, maximum: 10n, basisPoints: 9_000 }
    expect(feeAt(1_000n, capped, { from: epoch + 1n, maximum: 800_000n, basisPoints: 10 })).toBe(800_000n)
  })
  test('has the fee of now at the end of an epoch after which another one comes', () => {
    expect(feeAt(1n, low, { ...high, from: epoch + 2n })).toBe(5_000n)
  })
  test('has the new fee once it is there', () => {
    expect(feeAt(100_000n, low, { ...high, from: epoch })).toBe(500_000n)
  })
  test('that would take more than all is refused', () => {
    expect(feeAt(1_000n, low, { ...high, basisPoints: 10_001 })).toBeUndefined()
  })
})
