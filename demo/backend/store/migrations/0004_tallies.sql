CREATE TABLE "tallies" (
	"key" text NOT NULL,
	"hour" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "tallies_key_hour_pk" PRIMARY KEY("key","hour")
);
--> statement-breakpoint
CREATE INDEX "tallies_hour" ON "tallies" USING btree ("hour");