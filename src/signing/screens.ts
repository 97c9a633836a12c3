import type { Screen } from '../dialog/screen.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { walletsLimits } from '../wallets/limits.ts'
import type { Approver } from './approver.ts'
import { showFailure } from './transaction/failure.ts'
import { showOutcome } from './transaction/outcome.ts'

/** The kit's own screens for what follows an approval, wherever that was given. */
export const createScreens = (
  cx: WalletFlow,
): Pick<Approver, 'showDone' | 'showFailure' | 'showChoice' | 'showOutcome' | 'showProgress'> => ({
  showDone: ({ screen }, props) =>
    cx.stage.hold(
      screen as unknown as Screen<object, never>,
      { ...props, done: true },
      walletsLimits.successVisible,
    ),
  showFailure: (cause, options) => showFailure(cx, cause, options),
  showChoice: (display) => display(),
  showOutcome: (options) => showOutcome(cx, options),
  showProgress: (display) => display(),
})
