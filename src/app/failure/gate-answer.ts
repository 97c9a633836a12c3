/** What a person answers who is not let in: both lead back to the login methods. */
export type GateAnswer = 'again' | 'back'
