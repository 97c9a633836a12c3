import type { StageControl } from './stage.ts'

/** How a run ended, for the host's `lk-close`. */
export interface RunEnd {
  completed: boolean
  /** A host code such as `exited_auth_flow`, if the run did not complete. */
  code?: string
}

/** One run of a flow, from the opening of the dialog to its end. */
export interface Run {
  /** What the person came for: names the run in events and decides the exit code. */
  readonly intent:
    | 'login'
    | 'link'
    | 'update'
    | 'unlink'
    | 'sign'
    | 'connect'
    | 'create'
    | 'recovery'
    | 'export'
    | 'import'
    | 'device'
    | 'mfa'
    | 'settings'
    | 'fund'
    | 'signer'
    | 'delegate'
    | 'revoke'
  readonly stage: StageControl
}

/** A place on the page where runs appear: an element, or a dialog that the kit made for itself. */
export interface Surface {
  /** Identifies it on the page, also after a reload, so that a login that left the page comes back to it. */
  readonly name?: string | undefined
  /**
   * Shows a run. Resolves when it is visible; rejects if it can't be shown, and then the kit ends the run.
   * The surface closes the run's stage when the person closes the dialog.
   */
  present(run: Run): Promise<void>
  /**
   * Shows the next request of a queue in place of one that is over, without closing in between. From then on `dismiss` is called for
   * `next` alone. Returns false if `ended` is no longer shown. A surface without this closes, and opens again.
   */
  replace?(ended: Run, next: Run): boolean
  /**
   * Takes the run off the page. Called exactly once for each presented run that was not replaced, also after a failed `present`.
   */
  dismiss(run: Run, end: RunEnd): void
}
