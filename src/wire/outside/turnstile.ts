/** Cloudflare Turnstile, as far as it is used here. https://developers.cloudflare.com/turnstile/ */
export interface Turnstile {
  /** Makes a widget in a container. Throws for parameters that it does not take. */
  render(container: HTMLElement, parameters: WidgetParameters): string | null | undefined
  execute(widget: string): void
  reset(widget: string): void
  remove(widget: string): void
}

export interface WidgetParameters {
  sitekey: string
  /** At most 32 letters, digits, `_` and `-`; the server is told of it. */
  action?: string
  theme?: 'light' | 'dark' | 'auto'
  /** `execute`: nothing begins before the call of that name. */
  execution?: 'render' | 'execute'
  /** `interaction-only`: invisible until the person has to do something. */
  appearance?: 'always' | 'execute' | 'interaction-only'
  retry?: 'auto' | 'never'
  'refresh-expired'?: 'auto' | 'manual' | 'never'
  'refresh-timeout'?: 'auto' | 'manual' | 'never'
  'response-field'?: boolean
  callback?: (token: string) => void
  /** Returns true when the failure has been dealt with: else the vendor writes it to the console. */
  'error-callback'?: (code?: string) => boolean
  'expired-callback'?: () => void
  'timeout-callback'?: () => void
  'unsupported-callback'?: () => void
  'before-interactive-callback'?: () => void
  'after-interactive-callback'?: () => void
}

export const turnstileScript = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

/** What the vendor's script has put on the page, if it is there. */
export const turnstileOf = (window: Window): Turnstile | undefined =>
  (window as { turnstile?: Turnstile }).turnstile
