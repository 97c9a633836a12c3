import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/actions/button.tsx'
import { Pair } from '../../ui/actions/pair.tsx'
import { Group } from '../../ui/layout/group.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { RequestedBy } from '../../ui/wallet/request.tsx'
import { ActionFacts } from '../action-facts.tsx'
import type { Action, TransactionPreview } from '../preview.ts'
import { Instruction } from '../solana/instructions.tsx'

/** Instructions that only prepare what the others do. */
const minorInstructions = ['computeBudget', 'memo', 'createTokenAccount']
/** The button that approves takes no press for so many milliseconds after it has taken the place of another one. */
const SETTLING = 600

/**
 * The actions that a user reads one at a time before the whole: those of a batch, or the instructions of a Solana transaction. None where
 * there is only one, or where a descriptor sums them up.
 */
export function stepsOf({ actions }: Pick<TransactionPreview, 'actions'>): readonly Action[] {
  const instructions = actions.filter((action) => action.kind === 'instruction')
  const steps =
    instructions.length > 0 ? instructions.filter(isMajor) : actions.filter(({ kind }) => kind !== 'account')
  return steps.length > 1 && steps.every(({ kind }) => kind !== 'described') ? steps : []
}

const isMajor = (action: Action) =>
  action.kind === 'instruction' && !minorInstructions.includes(action.instruction.kind)

interface Stepping<Step> {
  /** The step that is displayed; `undefined`: all of it. */
  readonly step: Step | undefined
  readonly at: number
  /** All of it is displayed since a moment ago. */
  readonly isSettling: boolean
  goTo(at: number): void
}

/** Where the user is among the steps of a preview. */
export function useSteps<Step>(steps: readonly Step[]): Stepping<Step> {
  const [at, setAt] = useState(0)
  const [isSettling, setSettling] = useState(false)
  useEffect(() => {
    if (!isSettling) return
    const timer = setTimeout(() => setSettling(false), SETTLING)
    return () => clearTimeout(timer)
  }, [isSettling])
  return {
    at,
    isSettling,
    step: steps[at],
    goTo(next) {
      // A second press in haste must not approve what was not read.
      setSettling(next >= steps.length)
      setAt(next)
    },
  }
}

/** What one step does. It takes the focus when it has taken the place of another one. */
export function StepFacts({
  preview,
  step,
  busy,
}: {
  preview: TransactionPreview
  step: Action
  busy: boolean
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const first = useRef(step)
  useEffect(() => {
    if (first.current !== step) place.current?.focus()
  }, [step])
  return (
    <div ref={place} tabIndex={-1} css={{ outline: 'none' }}>
      <Group>
        <RequestedBy origin={preview.origin} app={preview.app} address={preview.wallet} />
      </Group>
      <Group>
        {step.kind === 'instruction' ? (
          <Instruction action={step.instruction} busy={busy} />
        ) : (
          <ActionFacts action={step} coin={preview.coin} />
        )}
      </Group>
    </div>
  )
}

interface StepButtonsProps {
  at: number
  goTo(at: number): void
  /** The answer that the flow is processing; steps wait for a cancel alone. */
  busy: unknown
  cancellable: boolean
  answer(answer: 'cancel'): void
}

export function StepButtons({ at, goTo, busy, cancellable, answer }: StepButtonsProps): ReactNode {
  const t = useWords()
  const isFirst = at === 0
  const isCancelling = busy === 'cancel'
  return (
    <Pair>
      {isFirst ? (
        cancellable && (
          <Button kind="secondary" busy={isCancelling} onClick={() => answer('cancel')}>
            {t('common.cancel')}
          </Button>
        )
      ) : (
        <Button kind="secondary" disabled={isCancelling} onClick={() => goTo(at - 1)}>
          {t('common.back')}
        </Button>
      )}
      <Button disabled={isCancelling} onClick={() => goTo(at + 1)}>
        {t('common.continue')}
      </Button>
    </Pair>
  )
}

/** Says where the user is, to those who can't see it. */
export function useStepAnnounced(at: number, count: number): string | undefined {
  const t = useWords()
  const words = at < count && count > 1 ? t('common.step', { step: at + 1, count }) : undefined
  useAnnounced(words)
  return words
}
