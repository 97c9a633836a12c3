CREATE TABLE "frame_spendings" (
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"chain" text NOT NULL,
	"asset" text NOT NULL,
	"transaction" text NOT NULL,
	"amount" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "frame_spendings_user_id_chain_transaction_asset_pk" PRIMARY KEY("user_id","chain","transaction","asset")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "frozen_at" bigint;--> statement-breakpoint
ALTER TABLE "frame_spendings" ADD CONSTRAINT "frame_spendings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "frame_spendings_at" ON "frame_spendings" USING btree ("at");