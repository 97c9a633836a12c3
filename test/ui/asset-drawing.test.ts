import { describe, expect, it } from 'vitest'
import { usdcOn } from '../../src/lib/usdc.ts'
import { assetDrawing, type Drawing, networkDrawing } from '../../src/ui/icons/asset-drawing.ts'
import { assets } from '../../src/ui/icons/assets.ts'

const nameOf = (drawing: Drawing | undefined) =>
  Object.entries(assets).find(([, shapes]) => shapes === drawing)?.[0]
const namesOf = (chain: string, token?: string) => {
  const { asset, network } = assetDrawing(chain, token)
  return [nameOf(asset), nameOf(network)]
}
const lower = (text: string | undefined) => text?.toLowerCase()

describe('the mark of an asset', () => {
  it.each([
    ['eip155:1', ['ethereum', undefined]],
    ['eip155:8453', ['ethereum', 'base']],
    ['eip155:42161', ['ethereum', 'arbitrumOne']],
    ['eip155:137', ['polygon', undefined]],
    ['solana:mainnet', ['solana', undefined]],
    ['solana:devnet', ['solana', undefined]],
    ['eip155:7', [undefined, undefined]],
    ['', [undefined, undefined]],
  ])('is that of the coin on %j, with its network where that has another one', (chain, names) => {
    expect(namesOf(chain)).toEqual(names)
  })

  it('is that of USDC for its contract alone, however it is written', () => {
    expect(namesOf('eip155:8453', usdcOn('eip155:8453'))).toEqual(['USDC', 'base'])
    expect(namesOf('eip155:8453', lower(usdcOn('eip155:8453')))).toEqual(['USDC', 'base'])
    expect(namesOf('eip155:8453', usdcOn('eip155:1'))).toEqual([undefined, 'base'])
    expect(namesOf('solana:mainnet', usdcOn('solana:mainnet'))).toEqual(['USDC', 'solana'])
    expect(namesOf('solana:mainnet', lower(usdcOn('solana:mainnet')))).toEqual([undefined, 'solana'])
    expect(namesOf('eip155:7', usdcOn('eip155:1'))).toEqual([undefined, undefined])
  })

  it('is drawn with paths and colours alone', () => {
    const fillsOf = (drawing: Drawing) =>
      drawing.flatMap(({ fill }) => (typeof fill === 'string' ? fill : fill.stops.map(([, shade]) => shade)))
    for (const [name, drawing] of Object.entries(assets)) {
      expect(drawing.length, name).toBeGreaterThan(0)
      for (const { path } of drawing) expect(path, name).toMatch(/^[Mm][-\d\s.,achlmqstvz]+$/i)
      for (const fill of fillsOf(drawing)) expect(fill, name).toMatch(/^#[\da-f]{3,6}$/i)
    }
  })
})

describe('the mark of a network', () => {
  it.each([
    ['eip155:1', 'ethereum'],
    ['eip155:84532', 'base'],
    ['eip155:11155420', 'optimism'],
    ['solana:devnet', 'solana'],
    ['eip155:31337', undefined],
    ['Base', undefined],
    ['', undefined],
  ])('of %j is that of %j', (chain, name) => {
    expect(nameOf(networkDrawing(chain))).toBe(name)
  })
})
