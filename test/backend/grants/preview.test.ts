/** What a trial run has to say before a permission is used. */
import { describe, expect, test } from 'vitest'
import { readPreview } from '../../../demo/backend/grants/preview.ts'
import type { PreviewAnswer, SimulationView } from '../../../demo/backend/preview/answer.ts'

const whole = { outcome: 'simulated', status: 'success', is_complete: true } as SimulationView
const read = (simulation: Partial<SimulationView> | undefined, simulate: 'require' | 'off' = 'require') =>
  readPreview(
    Promise.resolve({ prepared: {}, ...(simulation && { simulation }) } as unknown as PreviewAnswer),
    { simulate },
  )

describe('grants: the trial run of a use', () => {
  test('is taken where it has seen everything', async () => {
    expect((await read(whole)).simulated.size).toBe(0)
  })

  test.each<[string, Partial<SimulationView> | undefined]>([
    ['there is none', undefined],
    [
      'it was cut short, as where a call names more addresses than are asked about',
      { ...whole, is_complete: false },
    ],
    ['it doesn’t say that it is whole', { ...whole, is_complete: undefined } as never],
    ['it failed', { ...whole, status: 'failed' }],
  ])('refuses the use where %s', async (_, simulation) => {
    await expect(read(simulation)).rejects.toMatchObject({
      code: 'permission_denied',
      details: { data: { reason: 'simulation' } },
    })
  })

  test.each(['require', 'off'] as const)(
    'refuses a use that lets somebody act for the wallet, with the setting %s',
    async (simulate) => {
      const operator = { kind: 'operator', spender: '0x1', account: '0x2' }
      await expect(
        read(
          { ...whole, allowances: [operator] as unknown as SimulationView['allowances'] } as never,
          simulate,
        ),
      ).rejects.toMatchObject({ code: 'permission_denied', details: { data: { reason: 'allowance' } } })
    },
  )
})
