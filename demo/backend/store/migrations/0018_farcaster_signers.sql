CREATE TABLE "farcaster_signers" (
	"user_id" text NOT NULL,
	"fid" text NOT NULL,
	"public_key" text NOT NULL,
	"approved_at" bigint NOT NULL,
	CONSTRAINT "farcaster_signers_user_id_fid_public_key_pk" PRIMARY KEY("user_id","fid","public_key")
);
--> statement-breakpoint
ALTER TABLE "farcaster_signers" ADD CONSTRAINT "farcaster_signers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "farcaster_signers" ("user_id", "fid", "public_key", "approved_at")
SELECT "user_id", "subject", "details"->>'signerPublicKey', "verified_at" FROM "accounts"
WHERE "type" = 'farcaster' AND "subject" ~ '^[0-9]+$' AND "details"->>'signerPublicKey' IS NOT NULL;
