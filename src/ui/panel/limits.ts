/** The times of presses and their answers, in milliseconds. */
export const panelLimits = {
  /** 'Busy' appears only after this, and then stays for a while, so that nothing flickers. */
  busyShownAfter: 150,
  busyShownFor: 400,
  /** A press so soon after a screen has arrived was meant for the one before. */
  pressIgnored: 300,
  /** The screen before one that is still loading stays for this long at most; then the loading itself is shown. */
  previousKept: 2_500,
} as const
